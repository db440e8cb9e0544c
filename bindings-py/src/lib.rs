//! The Python extension of the engine: names and conversions. The crate `smithy-waiters` makes all decisions, and the
//! package `smithy_waiters` performs all I/O.

mod argument;
mod compression;
mod context;
mod definition;
mod delay;
mod error;
mod event;
mod failure;
mod fleet;
mod handle;
mod interpreter;
mod machine;
mod millis;
mod operation;
mod options;
mod paginator;
mod pickle;
mod plain;
mod predicate;
mod record;
mod repr;
mod retry;
mod search;
mod shape;
mod step;
mod transient;
mod unpickle;
mod verdict;
mod version;
mod wait;
mod waiter;

use pyo3::prelude::*;

/// The engine of `smithy_waiters`, which makes decisions and performs no I/O.
#[pymodule]
mod _engine {
    use pyo3::prelude::*;

    use crate::event::{ErrorEvent, ResponseEvent, VerdictEvent};

    #[pymodule_export]
    use crate::compression::{CompressionSettings, RequestCompression, content_encoding};
    #[pymodule_export]
    use crate::delay::{Delay, delay, has_slept};
    #[pymodule_export]
    use crate::error::{display_input, must_be, retry_error, set_package_members, unknown_option};
    #[pymodule_export]
    use crate::event::{Cancelled, DeadlineReached};
    #[pymodule_export]
    use crate::fleet::{Fleet, FleetCall, RateLimit, Tally, stored_fleet, waits_failed};
    #[pymodule_export]
    use crate::operation::Operation;
    #[pymodule_export]
    use crate::options::{max_items, python_name};
    #[pymodule_export]
    use crate::paginator::{Paginator, Walk};
    #[pymodule_export]
    use crate::pickle::make;
    #[pymodule_export]
    use crate::plain::plain;
    #[pymodule_export]
    use crate::record::{AttemptRecord, Hint, PathValue};
    #[pymodule_export]
    use crate::retry::classify::Classified;
    #[pymodule_export]
    use crate::retry::info::{FailureInfo, RetryInfo};
    #[pymodule_export]
    use crate::retry::quota::RetryQuota;
    #[pymodule_export]
    use crate::retry::request::{Request, RequestReport};
    #[pymodule_export]
    use crate::retry::strategy::{StandardRetryStrategy, StandardRetryToken, check_no_options};
    #[pymodule_export]
    use crate::search::search;
    #[pymodule_export]
    use crate::step::{Call, Done, Sleep};
    #[pymodule_export]
    use crate::transient::Transient;
    #[pymodule_export]
    use crate::unpickle::{attempt, done, verdict, wait};
    #[pymodule_export]
    use crate::verdict::{Reason, Verdict};
    #[pymodule_export]
    use crate::wait::{Wait, pause, poll_action, stored};
    #[pymodule_export]
    use crate::waiter::{
        Waiter, botocore_error_names, botocore_find, botocore_names, max_wait, report_limit,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        crate::interpreter::claim(py)?;
        crate::pickle::set_module(module);
        // `smithy_waiters.events` exports these as `Error`, `Response` and `Verdict`, which is another class here.
        module.add("ErrorEvent", py.get_type::<ErrorEvent>())?;
        module.add("ResponseEvent", py.get_type::<ResponseEvent>())?;
        module.add("VerdictEvent", py.get_type::<VerdictEvent>())?;
        module.add("__version__", crate::version::python_version())
    }
}
