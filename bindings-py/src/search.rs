//! JMESPath searches as a function.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use smithy_waiters::internal::View;
use smithy_waiters::{CompiledExpression, SearchResult};

use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::shape::text;

/// Search a value with a JMESPath expression, by the rules that apply to waiters.
///
/// Selected values are returned unchanged. Computed values are new objects; integral numbers are of type `int`. See the
/// `specification <https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model>`_.
///
/// >>> search("length(Tables)", {"Tables": ["one", "two"]})
/// 2
///
/// Raises:
///     ExpressionError: The expression is invalid or cannot be evaluated on the value.
#[pyfunction]
pub(crate) fn search<'py>(
    py: Python<'py>,
    expression: Bound<'py, PyAny>,
    value: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let Ok(text_object) = expression.cast::<PyString>() else {
        return Err(error::expression_type(&expression));
    };
    let expression = CompiledExpression::new(&text(text_object)?).map_err(error::expression)?;
    let names: Vec<Py<PyString>> = expression
        .names()
        .iter()
        .map(|name| PyString::new(py, name).unbind())
        .collect();
    let context = Context::new(&names);
    let result = expression.search(View::Item(Handle::new(value, &context)));
    context.finish()?;
    to_python(py, result.map_err(error::expression)?)
}

fn to_python<'py>(
    py: Python<'py>,
    result: SearchResult<View<'_, Handle<'_, 'py>>>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match result {
        SearchResult::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        SearchResult::Boolean(value) => value.into_pyobject(py)?.to_owned().into_any(),
        SearchResult::Host(View::Item(handle)) => handle.into_object(),
        SearchResult::Number(number) => to_number(py, number)?,
        SearchResult::Object(members) => {
            let dict = PyDict::new(py);
            for (name, member) in members {
                dict.set_item(&*name, to_python(py, member)?)?;
            }
            dict.into_any()
        }
        SearchResult::String(text) => PyString::new(py, &text).into_any(),
        _ => py.None().into_bound(py),
    })
}

/// Converts an integral double to an `int` of any size.
pub(crate) fn to_number(py: Python<'_>, number: f64) -> PyResult<Bound<'_, PyAny>> {
    let float = number.into_pyobject(py)?.into_any();
    if number.fract() == 0.0 {
        float.call_method0("__int__")
    } else {
        Ok(float)
    }
}
