//! The names at a module's top level: all from one scope, and none that the code around them uses.

use std::collections::BTreeMap;

use super::method::method_name;
use super::{support, types};
use crate::error::GenerateError;
use crate::ir::{Definition, Operation, Service};
use crate::names::{self, Scope};

/// The names of a service's waiters, paginators and requests.
pub(super) struct Names<'m> {
    /// In the order of the waiters.
    pub(super) waiters: Vec<WaiterNames>,
    /// Of those that are paginated, in the order of the operations.
    pub(super) pages: Vec<PageNames>,
    /// How the requests of operations with waiters are given, by the operations' names.
    given: BTreeMap<&'m str, RequestParameter>,
}

/// The names that the pages of an operation have.
pub(super) struct PageNames {
    /// `paginate_scan`, and the one for asyncio.
    pub(super) walks: [String; 2],
    /// What holds the engine's paginator: `_pages_of_scan`.
    pub(super) holder: String,
}

/// The names that a waiter has.
pub(super) struct WaiterNames {
    /// `wait_until_table_exists`
    wait: String,
    /// `wait_until_table_exists_async`
    wait_async: String,
    /// `match_table_exists`
    pub(super) matcher: String,
    /// What holds the engine's waiter: `_table_exists_waiter`.
    pub(super) holder: String,
}

/// How functions are given the request beside their options.
#[derive(Clone, Debug)]
pub(super) enum RequestParameter {
    /// Member by member, with the options in one type of this name.
    Members(String),
    /// There is none.
    None,
    /// As one argument, `request`: it has a member that is called like an option.
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
            let walks = both(&mut scope, &format!("paginate_{method}"), &of)?;
            let holder = scope.free(&format!("_pages_of_{method}"));
            Ok::<_, GenerateError>(PageNames { walks, holder })
        });
        let pages = pages.collect::<Result<_, _>>()?;
        let waiters: Vec<&str> = service.waiters().map(|(_, waiter)| waiter.name).collect();
        let waiters = of_waiters(&mut scope, &waiters)?;
        let operations = service.operations.iter();
        let waited = operations.filter(|operation| !operation.waiters.is_empty());
        let given =
            waited.map(|operation| (operation.name, RequestParameter::of(operation, &mut scope)));
        let given = given.collect();
        Ok(Self {
            waiters,
            pages,
            given,
        })
    }

    /// How the request of an operation is given.
    pub(super) fn request_parameter(&self, operation: &Operation<'_>) -> &RequestParameter {
        self.given
            .get(operation.name)
            .unwrap_or(&RequestParameter::None)
    }
}

impl WaiterNames {
    /// The function that waits, or the one for asyncio.
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

/// The names for a hand-written definition.
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
    // Nobody is told of the others.
    let named = waiters.iter().zip(taken);
    let named = named.map(|(name, public)| with_private(scope, name, public));
    Ok(named.collect())
}

/// The functions that wait, and the matcher.
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
        holder: scope.free(&format!("_{}_waiter", names::snake(waiter))),
    }
}

/// The name of a function, and of the one for asyncio.
fn both(scope: &mut Scope, name: &str, of: &str) -> Result<[String; 2], GenerateError> {
    let is_async = scope.take(&format!("{name}_async"), "_", of)?;
    Ok([scope.take(name, "_", of)?, is_async])
}
