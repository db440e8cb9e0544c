//! The names at the top level of a module. They share one scope with the names that the code itself uses.

use super::support;
use crate::error::GenerateError;
use crate::ir::{Definition, Service};
use crate::names::{self, Scope};

/// The names that the code uses in addition to its helpers.
const RESERVED: [&str; 5] = ["Operation", "Paginator", "REQUESTS", "Waiter", "operation"];

/// The names for a service's waiters and paginators, in their order.
pub(super) struct Names {
    pub(super) waiters: Vec<WaiterNames>,
    pub(super) pages: Vec<String>,
}

/// The names for a waiter.
pub(super) struct WaiterNames {
    /// The function that waits: `waitUntilTableExists`.
    pub(super) wait: String,
    /// The matcher: `matchTableExists`.
    pub(super) matcher: String,
    /// The variable that caches the engine's waiter: `tableExistsWaiter`.
    pub(super) slot: String,
    /// The function that creates the engine's waiter if several functions use it: `makeTableExistsWaiter`.
    pub(super) factory: String,
}

impl Names {
    pub(super) fn of(service: &Service<'_>) -> Result<Self, GenerateError> {
        let mut scope = scope();
        let mut pages = Vec::new();
        for (operation, _) in service.paginated_operations() {
            let of = format!("the pages of `{}`", operation.name);
            let name = format!("paginate{}", names::capital(operation.name));
            pages.push(scope.take(&name, "_", &of)?);
        }
        let waiters = service.waiters().map(|(_, waiter)| waiter.name);
        let waiters = of_waiters(&mut scope, &waiters.collect::<Vec<_>>())?;
        Ok(Self { waiters, pages })
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
    Scope::new("TypeScript", RESERVED.into_iter().chain(helpers))
}

fn of_waiters(scope: &mut Scope, waiters: &[&str]) -> Result<Vec<WaiterNames>, GenerateError> {
    let public_names = waiters.iter().map(|name| public(scope, name));
    let public_names = public_names.collect::<Result<Vec<_>, _>>()?;
    // Private names yield to the public ones, so they are chosen afterwards.
    let named = waiters.iter().zip(public_names);
    let named = named.map(|(name, public)| with_private(scope, name, public));
    Ok(named.collect())
}

/// Reserves the names of the function that waits and of the matcher.
fn public(scope: &mut Scope, waiter: &str) -> Result<[String; 2], GenerateError> {
    let (of, capital) = (format!("the waiter `{waiter}`"), names::capital(waiter));
    let wait = scope.take(&format!("waitUntil{capital}"), "_", &of)?;
    Ok([wait, scope.take(&format!("match{capital}"), "_", &of)?])
}

fn with_private(scope: &mut Scope, waiter: &str, [wait, matcher]: [String; 2]) -> WaiterNames {
    WaiterNames {
        wait,
        matcher,
        slot: scope.free(&format!("{}Waiter", names::camel(waiter))),
        factory: scope.free(&format!("make{}Waiter", names::capital(waiter))),
    }
}
