//! The names at a module's top level: all from one scope, and none that the code around them uses.

use super::support;
use crate::error::GenerateError;
use crate::ir::{Definition, Service};
use crate::names::{self, Scope};

/// What the code names itself, beside its helpers.
const OWN: [&str; 5] = ["Operation", "Paginator", "REQUESTS", "Waiter", "operation"];

/// The names of a service's waiters and paginators, in their order.
pub(super) struct Names {
    pub(super) waiters: Vec<WaiterNames>,
    pub(super) pages: Vec<String>,
}

/// The names that a waiter has.
pub(super) struct WaiterNames {
    /// `waitUntilTableExists`
    pub(super) wait: String,
    /// `matchTableExists`
    pub(super) matcher: String,
    /// What holds the engine's waiter: `tableExistsWaiter`.
    pub(super) slot: String,
    /// What makes it, where it is not made where it is used: `makeTableExistsWaiter`.
    pub(super) maker: String,
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

/// The names for a hand-written definition.
pub(super) fn of_definition(definition: &Definition) -> Result<WaiterNames, GenerateError> {
    let mut scope = scope();
    let public = public(&mut scope, &definition.name)?;
    Ok(with_private(&mut scope, &definition.name, public))
}

fn scope() -> Scope {
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    Scope::new("TypeScript", OWN.into_iter().chain(helpers))
}

fn of_waiters(scope: &mut Scope, waiters: &[&str]) -> Result<Vec<WaiterNames>, GenerateError> {
    let taken = waiters.iter().map(|name| public(scope, name));
    let taken = taken.collect::<Result<Vec<_>, _>>()?;
    // Nobody is told of the others.
    let named = waiters.iter().zip(taken);
    let named = named.map(|(name, public)| with_private(scope, name, public));
    Ok(named.collect())
}

/// The function that waits, and the matcher.
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
        maker: scope.free(&format!("make{}Waiter", names::capital(waiter))),
    }
}
