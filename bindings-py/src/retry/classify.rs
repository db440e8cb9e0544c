//! Facts of a failed request, and their classification.

use std::time::{Duration, SystemTime};

use pyo3::prelude::*;
use smithy_waiters::internal::CauseChain;
use smithy_waiters::operation::Operation as Model;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{self, FailedAttempt, RequestFailure, Transport};

use crate::argument::Text;

use super::info::FailureInfo as Info;

/// The classification of a failed attempt, and a note on the reason that prevents a retry.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Classified(retry::Classified);

impl Classified {
    pub(super) const fn from_engine(classified: retry::Classified) -> Self {
        Self(classified)
    }

    pub(super) const fn classified(&self) -> &retry::Classified {
        &self.0
    }
}

#[pymethods]
impl Classified {
    /// The classification, which retry strategies read.
    #[getter]
    const fn failure(&self) -> Info {
        Info::from_engine(self.0.info)
    }

    /// The code and text of a note: a header was ignored, or another reason prevents a retry. `None` without a
    /// note.
    #[getter]
    fn note(&self) -> Option<(&'static str, String)> {
        let note = self.0.note?;
        Some((note.code(), note.to_string()))
    }
}

/// An attempt that failed with an error.
#[derive(FromPyObject)]
pub(super) enum Failed<'py> {
    /// The caller's classification.
    Classified(Bound<'py, Info>),
    Error(Facts),
}

impl Failed<'_> {
    /// Returns the failed attempt. `model` is the model of the operation, which may have the error by the name of its
    /// class.
    pub(super) fn attempt(&self, model: Option<&Model>) -> FailedAttempt<'_> {
        match self {
            Self::Classified(info) => FailedAttempt::Classified(*info.get().info()),
            Self::Error(facts) => facts.attempt(model),
        }
    }
}

/// The facts of a failed request, which the Python module `failed_request` collects.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Facts {
    /// The error and its causes.
    #[pyo3(from_py_with = links)]
    chain: Vec<Link>,
    /// The current time, in seconds since 1970.
    now: f64,
    static_credentials: bool,
}

/// The facts of one error of a chain of causes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Link {
    #[pyo3(default)]
    code: Option<Text>,
    /// The name of the error's class, which counts if it has no code.
    name: Text,
    #[pyo3(default)]
    status: Option<u16>,
    #[pyo3(default)]
    retry_after: Option<Text>,
    #[pyo3(default)]
    amz_retry_after: Option<Text>,
    #[pyo3(default)]
    transport: Option<Text>,
    #[pyo3(default)]
    fault: Option<Text>,
    /// The attribute `is_retry_safe` of the specification's error interface.
    #[pyo3(default)]
    safe: Option<bool>,
    #[pyo3(default)]
    throttle: bool,
}

/// Reads the errors of a chain, which may be endless, while their causes may count.
fn links(chain: &Bound<'_, PyAny>) -> PyResult<Vec<Link>> {
    chain
        .try_iter()?
        .take(CauseChain::LONGEST)
        .map(|link| link?.extract())
        .collect()
}

impl Facts {
    fn attempt(&self, model: Option<&Model>) -> FailedAttempt<'_> {
        FailedAttempt::Error(self.failure(model).unwrap_or_default())
    }

    /// Returns the error that decides, or else `named`, which has the error's name.
    pub(crate) fn failure_or<'a>(&'a self, named: RequestFailure<'a>) -> RequestFailure<'a> {
        let failure = self.failure(None).unwrap_or(named);
        failure.static_credentials(self.static_credentials)
    }

    /// Returns the error that decides.
    fn failure(&self, model: Option<&Model>) -> Option<RequestFailure<'_>> {
        let now = date(self.now);
        let links = self.chain.iter();
        let chain: CauseChain<'_> = links.map(|link| link.failure(model).now(now)).collect();
        chain.into_failure()
    }
}

impl Link {
    fn failure(&self, model: Option<&Model>) -> RequestFailure<'_> {
        let code: &str = self.code.as_ref().unwrap_or(&self.name);
        let mut failure = RequestFailure::default().code(code);
        if let Some(header) = self.retry_after.as_deref() {
            failure = failure.retry_after(header);
        }
        if let Some(header) = self.amz_retry_after.as_deref() {
            failure = failure.amz_retry_after(header);
        }
        if let Some(status) = self.status {
            failure = failure.status(status);
        }
        let transport = self.transport.as_deref();
        if let Some(transport) = transport.and_then(Transport::from_name) {
            failure = failure.transport(transport);
        }
        if let Some(fault) = self.fault.as_deref().and_then(ErrorFault::from_name) {
            failure = failure.modeled(ModeledError {
                fault,
                retryable: false,
                throttling: false,
            });
        }
        failure = failure.declared(self.safe, self.throttle);
        match model {
            Some(model) => failure.modeled_by(model),
            None => failure,
        }
    }
}

fn date(seconds: f64) -> Option<SystemTime> {
    let since = Duration::try_from_secs_f64(seconds).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(since)
}
