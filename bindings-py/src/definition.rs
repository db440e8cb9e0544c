//! A waiter of the engine, with the data for reading Python's values.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;
use smithy_waiters::internal::View;
use smithy_waiters::{Observation, Reason, Verdict, Waiter};

use crate::context::Context;
use crate::failure::{Detail, Naming};
use crate::handle::{Handle, optional_handle};
use crate::predicate::{self, Predicate};

/// A definition, which is shared by the objects that a waiter creates.
pub(crate) struct Definition {
    waiter: Waiter,
    /// The interned strings of all names in the definition's paths.
    names: Box<[Py<PyString>]>,
    naming: Naming,
    predicate: Option<Predicate>,
}

/// The waiter of a verdict or a wait: the Python object for `waiter` and `repr`, and its definition.
pub(crate) struct Owner {
    pub(crate) waiter: Py<PyAny>,
    pub(crate) definition: Arc<Definition>,
}

/// The result of a call, as a Python object.
pub(crate) enum Observed {
    Response(Py<PyAny>),
    Error(Py<PyAny>),
}

impl Definition {
    pub(crate) fn new(
        py: Python<'_>,
        waiter: Waiter,
        naming: Naming,
        predicate: Option<Predicate>,
    ) -> Self {
        let names = waiter.names();
        let names = names.map(|name| PyString::intern(py, name).unbind());
        Self {
            names: names.collect(),
            naming: naming.with_error_types(waiter.error_types()),
            waiter,
            predicate,
        }
    }

    pub(crate) const fn engine(&self) -> &Waiter {
        &self.waiter
    }

    pub(crate) const fn naming(&self) -> &Naming {
        &self.naming
    }

    pub(crate) const fn predicate(&self) -> Option<&Predicate> {
        self.predicate.as_ref()
    }

    /// Returns the value that the engine reads for a response. With a predicate, it includes the predicate's result.
    pub(crate) fn value<'py>(&self, response: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.predicate {
            Some(predicate) => predicate.value(response),
            None => Ok(response.clone()),
        }
    }

    pub(crate) const fn context(&self) -> Context<'_> {
        Context::new(&self.names)
    }

    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        input: Option<&Py<PyAny>>,
        observed: &Observed,
    ) -> PyResult<Verdict> {
        let value = |response: &_| self.value(response);
        self.with_observation(
            py,
            input,
            observed,
            (Detail::Names, value),
            |input, observed| self.waiter.evaluate(input, observed),
        )
    }

    pub(crate) fn reasons<'py>(
        &self,
        py: Python<'py>,
        input: Option<&Py<PyAny>>,
        observed: &Observed,
        verdict: Verdict,
    ) -> PyResult<Vec<Reason>> {
        // The predicate is not called again: the verdict follows from its result.
        let value = |response: &Bound<'py, PyAny>| match &self.predicate {
            Some(_) => predicate::value(verdict.acceptor() == Some(0), response),
            None => Ok(response.clone()),
        };
        self.with_observation(
            py,
            input,
            observed,
            (Detail::Message, value),
            |input, observed| self.waiter.reasons(input, observed),
        )
    }

    fn with_observation<'py, T>(
        &self,
        py: Python<'py>,
        input: Option<&Py<PyAny>>,
        observed: &Observed,
        (detail, value): (
            Detail,
            impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
        ),
        with_observation: impl FnOnce(
            View<'_, Handle<'_, '_>>,
            Observation<'_, View<'_, Handle<'_, '_>>>,
        ) -> T,
    ) -> PyResult<T> {
        let context = self.context();
        let input = View::Item(optional_handle(py, input, &context));
        let result = match observed {
            Observed::Response(response) => {
                let response = value(response.bind(py))?;
                with_observation(
                    input,
                    Observation::Response(View::Item(Handle::new(response, &context))),
                )
            }
            Observed::Error(error) => {
                let facts = self.naming.metadata(error.bind(py), detail, &context)?;
                with_observation(input, Observation::Error(&facts))
            }
        };
        context.finish()?;
        Ok(result)
    }
}
