//! The names of a module's functions. No other name of a module begins with `waitUntil` or `paginate`, or ends with
//! `Waiter` or `Instance`.

use crate::error::GenerateError;
use crate::ir::{Definition, Service};
use crate::names::{self, Scope};

/// The names for a service's waiters and paginators, in their order.
pub(super) struct Names {
    pub(super) waiters: Vec<WaiterNames>,
    pub(super) pages: Vec<String>,
}

pub(super) struct WaiterNames {
    /// The function that waits: `waitUntilTableExists`.
    pub(super) wait: String,
    /// The function that returns the engine's waiter: `tableExistsWaiter`.
    pub(super) waiter: String,
    /// The variable that caches it: `tableExistsInstance`.
    pub(super) instance: String,
}

impl Names {
    pub(super) fn of(service: &Service<'_>) -> Result<Self, GenerateError> {
        let mut scope = Scope::new(LANGUAGE, []);
        let pages = service.paginated_operations().map(|(operation, _)| {
            let of = format!("the pages of `{}`", operation.name);
            let name = format!("paginate{}", names::capital(operation.name));
            scope.take(&name, "_", &of)
        });
        let pages = pages.collect::<Result<_, _>>()?;
        let waiters = service.waiters();
        let waiters = waiters.map(|(_, waiter)| WaiterNames::of(&mut scope, waiter.name));
        let waiters = waiters.collect::<Result<_, _>>()?;
        Ok(Self { waiters, pages })
    }
}

impl WaiterNames {
    pub(super) fn of_definition(definition: &Definition) -> Result<Self, GenerateError> {
        Self::of(&mut Scope::new(LANGUAGE, []), &definition.name)
    }

    fn of(scope: &mut Scope, waiter: &str) -> Result<Self, GenerateError> {
        let (of, camel) = (format!("the waiter `{waiter}`"), names::camel(waiter));
        let wait = format!("waitUntil{}", names::capital(waiter));
        Ok(Self {
            wait: scope.take(&wait, "_", &of)?,
            waiter: scope.take(&format!("{camel}Waiter"), "_", &of)?,
            instance: scope.free(&format!("{camel}Instance")),
        })
    }
}

const LANGUAGE: &str = "TypeScript";
