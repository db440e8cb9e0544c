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

/// The names for a waiter.
pub(super) struct WaiterNames {
    /// The blocking function: `wait_until_table_exists`.
    wait: String,
    /// The asynchronous function: `wait_until_table_exists_async`.
    wait_async: String,
    /// The matcher: `match_table_exists`.
    pub(super) matcher: String,
    /// The cached factory of the engine's waiter: `_table_exists_waiter`.
    pub(super) factory: String,
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
        let waiters: Vec<&str> = service.waiters().map(|(_, waiter)| waiter.name).collect();
        let waiters = of_waiters(&mut scope, &waiters)?;
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
    /// Returns the name of the blocking or the asynchronous function.
    pub(super) fn wait(&self, is_async: bool) -> &str {
        if is_async {
            &self.wait_async
        } else {
            &self.wait
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

/// Returns the names for a hand-written definition.
pub(super) fn of_definition(definition: &Definition) -> Result<WaiterNames, GenerateError> {
    let mut scope = scope();
    let public = public(&mut scope, &definition.name)?;
    Ok(with_private(&mut scope, &definition.name, public))
}

fn scope() -> Scope {
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    let own = ["_REQUESTS", "operation", "T"];
    Scope::new("Python", own.into_iter().chain(helpers))
}

fn of_waiters(scope: &mut Scope, waiters: &[&str]) -> Result<Vec<WaiterNames>, GenerateError> {
    let taken = waiters.iter().map(|name| public(scope, name));
    let taken = taken.collect::<Result<Vec<_>, _>>()?;
    // Private names yield to the public ones, so they are chosen afterwards.
    let named = waiters.iter().zip(taken);
    let named = named.map(|(name, public)| with_private(scope, name, public));
    Ok(named.collect())
}

/// Reserves the names of the functions that wait and of the matcher.
fn public(scope: &mut Scope, waiter: &str) -> Result<([String; 2], String), GenerateError> {
    let (of, snake) = (format!("the waiter `{waiter}`"), names::snake(waiter));
    let waits = both(scope, &format!("wait_until_{snake}"), &of)?;
    Ok((waits, scope.take(&format!("match_{snake}"), "_", &of)?))
}

fn with_private(
    scope: &mut Scope,
    waiter: &str,
    ([wait, wait_async], matcher): ([String; 2], String),
) -> WaiterNames {
    WaiterNames {
        wait,
        wait_async,
        matcher,
        factory: scope.free(&format!("_{}_waiter", names::snake(waiter))),
    }
}

/// Reserves the names of a function and of its asynchronous variant.
fn both(scope: &mut Scope, name: &str, of: &str) -> Result<[String; 2], GenerateError> {
    let is_async = scope.take(&format!("{name}_async"), "_", of)?;
    Ok([scope.take(name, "_", of)?, is_async])
}
