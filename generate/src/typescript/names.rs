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
        for (operation, _) in service.paginated() {
            let of = format!("the pages of `{}`", operation.name);
            let name = format!("paginate{}", names::capital(operation.name));
            pages.push(scope.take(&name, "_", &of)?);
        }
        let waiters = service.waiters().map(|(_, waiter)| waiter.name);
        let waiters = of_waiters(&mut scope, &waiters.collect::<Vec<_>>())?;
        Ok(Self { waiters, pages })
    }
}

/// The names for hand-written definitions.
pub(super) fn of_definitions(
    definitions: &[Definition],
) -> Result<Vec<WaiterNames>, GenerateError> {
    let waiters: Vec<&str> = definitions.iter().map(|one| &*one.name).collect();
    of_waiters(&mut scope(), &waiters)
}

fn scope() -> Scope {
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    Scope::new("TypeScript", OWN.into_iter().chain(helpers))
}

fn of_waiters(scope: &mut Scope, waiters: &[&str]) -> Result<Vec<WaiterNames>, GenerateError> {
    let mut public = Vec::new();
    for name in waiters {
        let (of, capital) = (format!("the waiter `{name}`"), names::capital(name));
        let wait = scope.take(&format!("waitUntil{capital}"), "_", &of)?;
        let matcher = scope.take(&format!("match{capital}"), "_", &of)?;
        public.push((wait, matcher));
    }
    // Nobody is told of these.
    let named = waiters.iter().zip(public);
    let named = named.map(|(name, (wait, matcher))| WaiterNames {
        wait,
        matcher,
        slot: scope.free(&format!("{}Waiter", names::camel(name))),
        maker: scope.free(&format!("make{}Waiter", names::capital(name))),
    });
    Ok(named.collect())
}
