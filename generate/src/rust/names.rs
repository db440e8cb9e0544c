//! The names of a file's items: each from one scope, and none that the code around it uses.

use proc_macro2::Ident;
use quote::format_ident;

use super::access;
use crate::error::GenerateError;
use crate::ir::{Operation, Service, Waiter};
use crate::names::{self, Scope};

const LANGUAGE: &str = "Rust";

/// What the code names itself, beside what it names by a path.
const OWN: [&str; 16] = [
    "Behaviour",
    "Box",
    "Err",
    "FnMut",
    "Into",
    "None",
    "Ok",
    "Option",
    "Result",
    "Some",
    "String",
    "Vec",
    "WaitUntil",
    "behaviour",
    "modeled_error",
    "without_retries",
];

/// The waiters and the paginated operations of a service, with their names.
pub(super) struct Names<'s, 'm> {
    pub(super) waiters: Vec<NamedWaiter<'s, 'm>>,
    pub(super) pages: Vec<(&'s Operation<'m>, PageNames)>,
}

/// A waiter, its operation, and the names that it has.
pub(super) struct NamedWaiter<'s, 'm> {
    pub(super) operation: &'s Operation<'m>,
    pub(super) waiter: &'s Waiter<'m>,
    pub(super) names: WaiterNames,
}

/// The names that a waiter has.
pub(super) struct WaiterNames {
    /// The builder: `TableExists`.
    pub(super) builder: Ident,
    pub(super) outcome: Ident,
    pub(super) error: Ident,
    /// The engine's waiter: `TABLE_EXISTS`.
    pub(super) definition: Ident,
    /// The client's method: `wait_until_table_exists`.
    pub(super) method: Ident,
    /// The matcher: `table_exists`.
    pub(super) matcher: Ident,
    /// The function that gives messages: `table_exists_message`.
    pub(super) message: Ident,
    /// The functions of the acceptors' paths: `table_exists_0`.
    pub(super) paths: Vec<Ident>,
}

/// The names of an operation's pages.
pub(super) struct PageNames {
    /// `ListTablesPages`
    pub(super) pages: Ident,
    /// `paginate_list_tables`
    pub(super) function: Ident,
    /// `list_tables_token`
    pub(super) token: Ident,
}

impl<'s, 'm> Names<'s, 'm> {
    pub(super) fn of(service: &'s Service<'m>) -> Result<Self, GenerateError> {
        let mut items = Scope::new(LANGUAGE, OWN);
        let mut methods = Scope::new(LANGUAGE, []);
        let mut matchers = Scope::new(LANGUAGE, []);
        // Those that people call come first.
        let mut public = Vec::new();
        for (_, waiter) in service.waiters() {
            let of = format!("the waiter `{}`", waiter.name);
            let snake = names::snake(waiter.name);
            let builder = items.take(&names::pascal(waiter.name), "Waiter", &of)?;
            items.take(&format!("{builder}Outcome"), "_", &of)?;
            items.take(&format!("{builder}Error"), "_", &of)?;
            methods.take(&format!("wait_until_{snake}"), "_", &of)?;
            matchers.take(&snake, "_", &of)?;
            public.push(builder);
        }
        let pages = PageNames::of(service, &mut items)?;
        let waiters = service.waiters().zip(public);
        let waiters = waiters.map(|((operation, waiter), builder)| NamedWaiter {
            operation,
            waiter,
            names: WaiterNames::of(waiter, &builder, &mut items, &mut matchers),
        });
        let waiters = waiters.collect();
        Ok(Self { waiters, pages })
    }
}

impl WaiterNames {
    fn of(waiter: &Waiter<'_>, builder: &str, items: &mut Scope, matchers: &mut Scope) -> Self {
        let snake = names::snake(waiter.name);
        let mut free = |name: String| access::ident(&matchers.free(&name));
        Self {
            builder: access::ident(builder),
            outcome: format_ident!("{builder}Outcome"),
            error: format_ident!("{builder}Error"),
            definition: access::ident(&items.free(&snake.to_uppercase())),
            method: format_ident!("wait_until_{snake}"),
            message: free(format!("{snake}_message")),
            paths: (0..waiter.acceptors.len())
                .map(|index| free(format!("{snake}_{index}")))
                .collect(),
            matcher: access::ident(&snake),
        }
    }
}

impl PageNames {
    fn of<'s, 'm>(
        service: &'s Service<'m>,
        items: &mut Scope,
    ) -> Result<Vec<(&'s Operation<'m>, Self)>, GenerateError> {
        let mut public = Vec::new();
        for (operation, _) in service.paginated() {
            let of = format!("the pages of `{}`", operation.name);
            let pages = format!("{}Pages", names::pascal(operation.name));
            let pages = items.take(&pages, "_", &of)?;
            let function = format!("paginate_{}", names::snake(operation.name));
            let function = items.take(&function, "_", &of)?;
            public.push((operation, pages, function));
        }
        let named = public.into_iter().map(|(operation, pages, function)| {
            let token = format!("{}_token", names::snake(operation.name));
            let names = Self {
                pages: access::ident(&pages),
                function: access::ident(&function),
                token: access::ident(&items.free(&token)),
            };
            (operation, names)
        });
        Ok(named.collect())
    }
}

/// The names of functions for hand-written definitions: the one that waits, and the one that gives the engine's waiter.
pub(super) fn of_definitions(names: &[&str]) -> Result<Vec<[Ident; 2]>, GenerateError> {
    let mut scope = Scope::new(LANGUAGE, []);
    let named = names.iter().map(|name| {
        let (of, snake) = (format!("the waiter `{name}`"), names::snake(name));
        let wait = scope.take(&format!("wait_until_{snake}"), "_", &of)?;
        let waiter = scope.take(&snake, "_", &of)?;
        Ok([wait, waiter].map(|name| access::ident(&name)))
    });
    named.collect()
}
