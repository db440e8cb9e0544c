//! The names of a file's items. They share scopes with the names that the code itself uses.

use proc_macro2::Ident;

use super::access;
use crate::error::GenerateError;
use crate::ir::{Operation, Service, Waiter};
use crate::names::{self, Scope};

const LANGUAGE: &str = "Rust";

/// The names that the code uses without a path.
const OWN: [&str; 21] = [
    "Behaviour",
    "Box",
    "Clone",
    "Err",
    "FnMut",
    "Into",
    "Make",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "Unpin",
    "Vec",
    "WaitUntil",
    "behaviour",
    "modeled_error",
    "without_retries",
];

/// The waiters and paginated operations of a service, with their names.
pub(super) struct Names<'s, 'm> {
    pub(super) waiters: Vec<NamedWaiter<'s, 'm>>,
    pub(super) pages: Vec<(&'s Operation<'m>, PageNames)>,
}

/// A waiter with its operation and names.
pub(super) struct NamedWaiter<'s, 'm> {
    pub(super) operation: &'s Operation<'m>,
    pub(super) waiter: &'s Waiter<'m>,
    pub(super) names: WaiterNames,
}

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
    /// The function that reads failure messages: `table_exists_message`.
    pub(super) message: Ident,
    /// The functions that test the acceptors' paths: `table_exists_0`.
    pub(super) paths: Vec<Ident>,
    /// The setters of the builder, in the order of the input's members.
    pub(super) setters: Vec<Ident>,
}

/// The names for an operation's paginator.
pub(super) struct PageNames {
    /// The paginator: `ListTablesPages`.
    pub(super) pages: Ident,
    /// The function that creates it: `paginate_list_tables`.
    pub(super) function: Ident,
    /// The function that reads the token of a page: `list_tables_token`.
    pub(super) token: Ident,
}

impl<'s, 'm> Names<'s, 'm> {
    pub(super) fn of(service: &'s Service<'m>) -> Result<Self, GenerateError> {
        let mut scopes = Scopes::of(service);
        // Names from the model are reserved before the names that are derived from them.
        let mut builders = Vec::new();
        for (_, waiter) in service.waiters() {
            builders.push(scopes.waiter(waiter)?);
        }
        let mut functions = Vec::new();
        for (operation, _) in service.paginated_operations() {
            functions.push(scopes.pages(operation)?);
        }
        let mut waiters = Vec::new();
        for ((operation, waiter), [builder, method]) in service.waiters().zip(builders) {
            let setters = setters(operation)?;
            waiters.push(NamedWaiter {
                operation,
                waiter,
                names: WaiterNames::of(waiter, &builder, &method, setters, &mut scopes),
            });
        }
        let pages = service.paginated_operations().zip(functions);
        let pages = pages.map(|((operation, _), function)| {
            (operation, PageNames::of(operation, &function, &mut scopes))
        });
        let pages = pages.collect();
        Ok(Self { waiters, pages })
    }
}

/// The scopes of a service's file.
struct Scopes {
    /// The top level of the file.
    items: Scope,
    /// The methods of the client.
    methods: Scope,
    /// The module of the matchers.
    matchers: Scope,
}

impl Scopes {
    fn of(service: &Service<'_>) -> Self {
        let calls = service.operations.iter();
        let calls: Vec<String> = calls.map(|call| names::snake(call.name)).collect();
        Self {
            items: Scope::new(LANGUAGE, OWN),
            // An inherent method of the client hides a method of a trait.
            methods: Scope::new(LANGUAGE, calls.iter().map(String::as_str)),
            matchers: Scope::new(LANGUAGE, []),
        }
    }

    /// Reserves the names of a waiter's builder and of its method, and the matcher's.
    fn waiter(&mut self, waiter: &Waiter<'_>) -> Result<[String; 2], GenerateError> {
        let of = format!("the waiter `{}`", waiter.name);
        let snake = names::snake(waiter.name);
        self.matchers.take(&snake, "_", &of)?;
        let builder = self
            .items
            .take(&names::pascal(waiter.name), "Waiter", &of)?;
        let method = self
            .methods
            .take(&format!("wait_until_{snake}"), "_waiter", &of)?;
        Ok([builder, method])
    }

    /// Reserves the name of the function that creates an operation's paginator.
    fn pages(&mut self, operation: &Operation<'_>) -> Result<String, GenerateError> {
        let of = format!("the pages of `{}`", operation.name);
        let name = format!("paginate_{}", names::snake(operation.name));
        self.items.take(&name, "_", &of)
    }

    fn item(&mut self, name: &str) -> Ident {
        access::ident(&self.items.free(name))
    }

    fn matcher(&mut self, name: &str) -> Ident {
        access::ident(&self.matchers.free(name))
    }
}

/// Returns the names of the builder's setters, which must differ from `wait` and `wait_on`.
fn setters(operation: &Operation<'_>) -> Result<Vec<Ident>, GenerateError> {
    let mut scope = Scope::new(LANGUAGE, ["wait", "wait_on"]);
    let members = operation.input.map_or(&[][..], |input| &input.members);
    let named = members.iter().map(|member| {
        let of = format!("the member `{}`", member.name);
        let name = access::member(member.name).to_string();
        let name = scope.take(&name, "_value", &of)?;
        Ok(access::ident(&name))
    });
    named.collect()
}

impl WaiterNames {
    fn of(
        waiter: &Waiter<'_>,
        builder: &str,
        method: &str,
        setters: Vec<Ident>,
        scopes: &mut Scopes,
    ) -> Self {
        let snake = names::snake(waiter.name);
        let paths = 0..waiter.acceptors.len();
        Self {
            builder: access::ident(builder),
            outcome: scopes.item(&format!("{builder}Outcome")),
            error: scopes.item(&format!("{builder}Error")),
            definition: scopes.item(&snake.to_uppercase()),
            method: access::ident(method),
            message: scopes.matcher(&format!("{snake}_message")),
            paths: paths
                .map(|index| scopes.matcher(&format!("{snake}_{index}")))
                .collect(),
            matcher: access::ident(&snake),
            setters,
        }
    }
}

impl PageNames {
    fn of(operation: &Operation<'_>, function: &str, scopes: &mut Scopes) -> Self {
        let pages = format!("{}Pages", names::pascal(operation.name));
        let token = format!("{}_token", names::snake(operation.name));
        Self {
            pages: scopes.item(&pages),
            function: access::ident(function),
            token: scopes.item(&token),
        }
    }
}

/// Returns the names for a hand-written definition: of the function that waits, and of the function that returns the
/// engine's waiter.
pub(super) fn of_definition(name: &str) -> Result<[Ident; 2], GenerateError> {
    let mut scope = Scope::new(LANGUAGE, []);
    let (of, snake) = (format!("the waiter `{name}`"), names::snake(name));
    let wait = scope.take(&format!("wait_until_{snake}"), "_", &of)?;
    let waiter = scope.take(&snake, "_", &of)?;
    Ok([wait, waiter].map(|name| access::ident(&name)))
}
