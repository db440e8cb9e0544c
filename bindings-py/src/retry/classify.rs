//! Facts of a failed request, and their classification.

use std::time::{Duration, SystemTime};

use pyo3::prelude::*;
use smithy_waiters::operation::Operation as Model;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    self, FailedAttempt, FailureInfo, RequestFailure, RetryInfo, RetrySafety, Transient, Transport,
};

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
    #[pyo3(default)]
    code: Option<Text>,
    /// The name of the error's class. It identifies a modeled error without a code.
    name: Text,
    #[pyo3(default)]
    status: Option<u16>,
    #[pyo3(default)]
    retry_after: Option<Text>,
    #[pyo3(default)]
    amz_retry_after: Option<Text>,
    /// The current time, in seconds since 1970.
    now: f64,
    #[pyo3(default)]
    transport: Option<Text>,
    #[pyo3(default)]
    fault: Option<Text>,
    /// The attribute `is_retry_safe` of the specification's error interface.
    #[pyo3(default)]
    safe: Option<bool>,
    #[pyo3(default)]
    throttle: bool,
    #[pyo3(default)]
    static_credentials: bool,
}

/// The model of an error that declares itself safe to retry.
const RETRYABLE: ModeledError = ModeledError {
    fault: ErrorFault::Other,
    retryable: true,
    throttling: false,
};

impl Facts {
    fn attempt(&self, model: Option<&Model>) -> FailedAttempt<'_> {
        let failure = self.failure(RequestFailure::default(), self.modeled(model));
        let Some(safe) = self.safety() else {
            return FailedAttempt::Error(failure);
        };
        let FailureInfo { retry, fault } = failure.classify().info;
        let safety = if safe {
            RetrySafety::Yes
        } else {
            RetrySafety::No
        };
        let mut info = retry.unwrap_or(RetryInfo::new(safety));
        info.safety = safety;
        info.throttle |= self.throttle;
        FailedAttempt::Classified(FailureInfo {
            retry: Some(info),
            fault,
        })
    }

    /// Returns the transient error for a wait at `now_ms`, or `None` for a permanent error. `failure` has the error's
    /// name.
    pub(crate) fn transient<'a>(
        &'a self,
        failure: RequestFailure<'a>,
        now_ms: u64,
    ) -> Option<Transient> {
        // Clients also set a fault on their own timeouts, so a fault alone does not imply an answer.
        let is_unanswered = self.transport.is_some() && self.status.is_none();
        let modeled = match self.safety() {
            Some(false) => return None,
            _ if is_unanswered => None,
            Some(true) => Some(RETRYABLE),
            None => self.modeled(None),
        };
        self.failure(failure, modeled).transient(now_ms)
    }

    /// Returns the error's own declaration of its safety. A throttling service has not processed the request.
    fn safety(&self) -> Option<bool> {
        self.safe.or(self.throttle.then_some(true))
    }

    fn failure<'a>(
        &'a self,
        failure: RequestFailure<'a>,
        modeled: Option<ModeledError>,
    ) -> RequestFailure<'a> {
        let mut failure = failure.static_credentials(self.static_credentials);
        if let Some(header) = self.retry_after.as_deref() {
            failure = failure.retry_after(header);
        }
        if let Some(header) = self.amz_retry_after.as_deref() {
            failure = failure.amz_retry_after(header);
        }
        if let Some(status) = self.status {
            failure = failure.status(status);
        }
        if let Some(now) = date(self.now) {
            failure = failure.now(now);
        }
        let transport = self.transport.as_deref();
        if let Some(transport) = transport.and_then(Transport::from_name) {
            failure = failure.transport(transport);
        }
        if let Some(modeled) = modeled {
            failure = failure.modeled(modeled);
        }
        if let Some(code) = self.code.as_deref() {
            failure = failure.code(code);
        }
        failure
    }

    /// Returns the error in the model of the operation, or the fault that the error declares itself.
    fn modeled(&self, model: Option<&Model>) -> Option<ModeledError> {
        let name = self.code.as_ref().unwrap_or(&self.name);
        model.and_then(|model| model.error(name)).or_else(|| {
            Some(ModeledError {
                fault: self.fault.as_deref().and_then(ErrorFault::from_name)?,
                retryable: false,
                throttling: false,
            })
        })
    }
}

fn date(seconds: f64) -> Option<SystemTime> {
    let since = Duration::try_from_secs_f64(seconds).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(since)
}
