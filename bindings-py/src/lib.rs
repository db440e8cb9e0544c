//! The engine for Python: names and conversions only. What they mean is decided in the crate `smithy-waiters`, what is
//! done about it in the package `smithy_waiters`.

mod compression;
mod context;
mod delay;
mod elapsed;
mod error;
mod failure;
mod given;
mod handle;
mod interpreter;
mod kept;
mod operation;
mod options;
mod paginator;
mod plain;
mod record;
mod retry;
mod search;
mod shape;
mod shown;
mod step;
mod verdict;
mod version;
mod wait;
mod waiter;

use pyo3::prelude::*;

/// The engine of `smithy_waiters`: decides everything, does nothing.
#[pymodule]
mod _engine {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::compression::{
        CompressionSettings, RequestCompression, content_encoding, request_compression, settings,
    };
    #[pymodule_export]
    use crate::delay::{Delay, delay};
    #[pymodule_export]
    use crate::kept::{attempt, done, verdict, wait};
    #[pymodule_export]
    use crate::operation::Operation;
    #[pymodule_export]
    use crate::paginator::{Paginator, Paging};
    #[pymodule_export]
    use crate::plain::plain;
    #[pymodule_export]
    use crate::record::AttemptRecord;
    #[pymodule_export]
    use crate::retry::classify::classify;
    #[pymodule_export]
    use crate::retry::info::{FailureInfo, RetryInfo, failure_info, retry_info};
    #[pymodule_export]
    use crate::retry::quota::RetryQuota;
    #[pymodule_export]
    use crate::retry::strategy::{StandardRetryStrategy, StandardRetryToken, strategy};
    #[pymodule_export]
    use crate::search::search;
    #[pymodule_export]
    use crate::step::{Call, Done, Sleep};
    #[pymodule_export]
    use crate::verdict::{Reason, Verdict};
    #[pymodule_export]
    use crate::wait::Wait;
    #[pymodule_export]
    use crate::waiter::Waiter;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::interpreter::claim(module.py())?;
        module.add("__version__", crate::version::of_python())
    }
}
