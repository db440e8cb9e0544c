//! A waiter of the engine, with what reading Python's values takes.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;
use smithy_waiters::{Observation, Reason, Verdict, Waiter};

use crate::context::Context;
use crate::failure::{Detail, Naming};
use crate::handle::{Handle, handle_of};
use crate::predicate::{self, Predicate};

/// A definition that the objects made from a waiter share.
pub(crate) struct Definition {
    waiter: Waiter,
    /// Every name that its paths use, made and hashed once.
    names: Box<[Py<PyString>]>,
    naming: Naming,
    predicate: Option<Predicate>,
}

/// The waiter of a verdict or a wait: the Python object, which they show, and its definition.
pub(crate) struct Owner {
    pub(crate) waiter: Py<PyAny>,
    pub(crate) definition: Arc<Definition>,
}

/// What came of a call, as Python has it.
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
            waiter,
            naming,
            predicate,
        }
    }

    pub(crate) const fn engine(&self) -> &Waiter {
        &self.waiter
    }

    /// How its caller wants errors to be named.
    pub(crate) const fn naming(&self) -> &Naming {
        &self.naming
    }

    pub(crate) const fn predicate(&self) -> Option<&Predicate> {
        self.predicate.as_ref()
    }

    /// Returns the value that the engine reads for a response: with a predicate, its result beside the response.
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
        seen: &Observed,
    ) -> PyResult<Verdict> {
        let value = |response: &_| self.value(response);
        self.look(py, input, seen, (Detail::Names, value), |input, seen| {
            self.waiter.evaluate(input, seen)
        })
    }

    pub(crate) fn reasons<'py>(
        &self,
        py: Python<'py>,
        input: Option<&Py<PyAny>>,
        seen: &Observed,
        verdict: Verdict,
    ) -> PyResult<Vec<Reason>> {
        // The predicate is not called again: the verdict follows from its result.
        let value = |response: &Bound<'py, PyAny>| match &self.predicate {
            Some(_) => predicate::value(verdict.acceptor() == Some(0), response),
            None => Ok(response.clone()),
        };
        self.look(py, input, seen, (Detail::Message, value), |input, seen| {
            self.waiter.reasons(input, seen)
        })
    }

    fn look<'py, T>(
        &self,
        py: Python<'py>,
        input: Option<&Py<PyAny>>,
        seen: &Observed,
        (detail, value): (
            Detail,
            impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
        ),
        look: impl FnOnce(Handle<'_, '_>, Observation<'_, Handle<'_, '_>>) -> T,
    ) -> PyResult<T> {
        let context = self.context();
        let input = handle_of(py, input, &context);
        let result = match seen {
            Observed::Response(response) => {
                let response = value(response.bind(py))?;
                look(
                    input,
                    Observation::Response(Handle::new(response, &context)),
                )
            }
            Observed::Error(error) => {
                let facts = self.naming.facts(error.bind(py), detail, &context)?;
                look(input, Observation::Error(&facts))
            }
        };
        context.finish()?;
        Ok(result)
    }
}
