//! The names at the top level of a module. They share one scope with the names that the code itself uses.

use std::collections::BTreeMap;

use super::method::method_name;
use super::{support, types};
use crate::error::GenerateError;
use crate::ir::{Definition, Operation, Service};
use crate::names::{self, Scope};

/// The names for a service's waiters, paginators and requests.
pub(super) struct Names<'m> {
    /// The names for each waiter, in the order of the waiters.
    pub(super) waiters: Vec<WaiterNames>,
    /// The names for each paginated operation, in the order of the operations.
    pub(super) pages: Vec<PageNames>,
    /// The form of the request parameters, by operation name.
    requests: BTreeMap<&'m str, RequestParameter>,
}

/// The names for an operation's paginator.
pub(super) struct PageNames {
    /// The functions for pages, blocking and asynchronous: `paginate_scan`, `paginate_scan_async`.
    pub(super) functions: [String; 2],
    /// The cached factory of the engine's paginator: `_pages_of_scan`.
    pub(super) factory: String,
}

pub(super) struct WaiterNames {
    /// The functions that wait, blocking and asynchronous: `wait_until_table_exists`, `wait_until_table_exists_async`.
    pub(super) waits: [String; 2],
    /// The function that returns the engine's waiter: `table_exists_waiter`.
    pub(super) waiter: String,
}

/// The form in which a function accepts the request.
#[derive(Clone, Debug)]
pub(super) enum RequestParameter {
    /// Keyword arguments for the members. The value names the type that combines them with the settings.
    Members(String),
    /// No request, because the operation has no input.
    None,
    /// The parameter `request`, because a member has the name of a setting.
    Whole,
}

impl<'m> Names<'m> {
    pub(super) fn of(service: &Service<'m>) -> Result<Self, GenerateError> {
        let mut scope = scope();
        for name in types::names(service)? {
            scope.take(&name, "_", &format!("the shape `{name}`"))?;
        }
        let pages = service.paginated_operations().map(|(operation, _)| {
            let of = format!("the pages of `{}`", operation.name);
            let method = method_name(operation.name);
            let functions = both(&mut scope, &format!("paginate_{method}"), &of)?;
            let factory = scope.free(&format!("_pages_of_{method}"));
            Ok::<_, GenerateError>(PageNames { functions, factory })
        });
        let pages = pages.collect::<Result<_, _>>()?;
        let waiters = service.waiters();
        let waiters = waiters.map(|(_, waiter)| WaiterNames::of(&mut scope, waiter.name));
        let waiters = waiters.collect::<Result<_, _>>()?;
        let operations = service.operations.iter();
        let waited = operations.filter(|operation| !operation.waiters.is_empty());
        let requests =
            waited.map(|operation| (operation.name, RequestParameter::of(operation, &mut scope)));
        let requests = requests.collect();
        Ok(Self {
            waiters,
            pages,
            requests,
        })
    }

    /// Returns the form in which the functions of an operation accept the request.
    pub(super) fn request_parameter(&self, operation: &Operation<'_>) -> &RequestParameter {
        self.requests
            .get(operation.name)
            .unwrap_or(&RequestParameter::None)
    }
}

impl WaiterNames {
    pub(super) fn of_definition(definition: &Definition) -> Result<Self, GenerateError> {
        Self::of(&mut scope(), &definition.name)
    }

    fn of(scope: &mut Scope, waiter: &str) -> Result<Self, GenerateError> {
        let (of, snake) = (format!("the waiter `{waiter}`"), names::snake(waiter));
        Ok(Self {
            waits: both(scope, &format!("wait_until_{snake}"), &of)?,
            waiter: scope.take(&format!("{snake}_waiter"), "_", &of)?,
        })
    }

    /// Returns the name of the blocking or the asynchronous function.
    pub(super) fn wait(&self, is_async: bool) -> &str {
        let [wait, wait_async] = &self.waits;
        if is_async { wait_async } else { wait }
    }

    /// Returns the start of the engine's wait, up to the parenthesis.
    pub(super) fn engine_wait(&self, is_async: bool) -> String {
        let waiter = &self.waiter;
        if is_async {
            format!("await {waiter}().wait_async(")
        } else {
            format!("{waiter}().wait(")
        }
    }
}

impl RequestParameter {
    fn of(operation: &Operation<'_>, scope: &mut Scope) -> Self {
        let Some(input) = operation.input else {
            return Self::None;
        };
        let options = support::SETTING_NAMES;
        if input
            .members
            .iter()
            .any(|member| options.contains(&member.name))
        {
            return Self::Whole;
        }
        let name = format!("{}Wait", names::capital(operation.name));
        Self::Members(scope.free(&name))
    }
}

/// Returns a scope with the names that generated code uses for itself.
fn scope() -> Scope {
    Scope::new(
        "Python",
        ["_REQUESTS", "_split_arguments", "operation", "T"],
    )
}

/// Reserves the names of a function and of its asynchronous variant.
fn both(scope: &mut Scope, name: &str, of: &str) -> Result<[String; 2], GenerateError> {
    let is_async = scope.take(&format!("{name}_async"), "_", of)?;
    Ok([scope.take(name, "_", of)?, is_async])
}
