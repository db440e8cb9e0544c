//! The pages of operations.

use super::function::{Function, deprecated};
use super::method::{bound_method, method_name};
use super::names::{Names, PageNames};
use super::tree::{Py, Statement};
use super::types::{input, output};
use crate::ir::{Operation, Pagination, Service};

/// The functions that walk pages, and those that hold the paginators.
pub(super) fn functions(service: &Service<'_>, names: &Names<'_>) -> Vec<Function> {
    let paginated = service.paginated_operations().zip(&names.pages);
    let functions = paginated.flat_map(|((operation, pages), names)| {
        let walks = [false, true].map(|is_async| walk(operation, names, is_async));
        std::iter::once(holder(pages, names)).chain(walks)
    });
    functions.collect()
}

fn holder(pages: &Pagination<'_>, names: &PageNames) -> Function {
    let mut members = vec![
        ("inputToken", pages.input_token),
        ("outputToken", pages.output_token_path),
    ];
    members.extend(pages.items_path.map(|path| ("items", path)));
    members.extend(pages.page_size.map(|name| ("pageSize", name)));
    let members = members.into_iter();
    let members = members.map(|(name, value)| (name.to_owned(), Py::string(value)));
    let members = Py::Dict(members.collect());
    Function::holder(&names.holder, "Paginator", vec![members])
}

fn walk(operation: &Operation<'_>, names: &PageNames, is_async: bool) -> Function {
    let [name, name_async] = &names.walks;
    let (name, walk, returns) = if is_async {
        (name_async, "pages_async", "AsyncIterator")
    } else {
        (name, "pages", "Iterator")
    };
    let options = Py::name("paging").binary("or", Py::name("{}"));
    let arguments = vec![
        bound_method(operation),
        Py::name("request"),
        Py::keyword("", options),
    ];
    let paginator = Py::call(&names.holder, Vec::new());
    let said = operation.deprecated;
    Function {
        deprecated: said.map(|said| deprecated("operation", said.message)),
        name: name.clone(),
        parameters: parameters(operation),
        returns: format!("{returns}[{}]", output(operation)),
        docs: vec![format!(
            "Give the pages of `{}`, each when it is asked for.",
            method_name(operation.name)
        )],
        body: vec![
            Statement::Let("paginator".to_owned(), paginator),
            Statement::Return(Py::name("paginator").method(walk, arguments)),
        ],
        ..Function::default()
    }
}

/// A request that has a member called like the option is one argument.
fn parameters(operation: &Operation<'_>) -> Vec<String> {
    let paging = "paging: PageOptions | None = None".to_owned();
    let (first, rest) = match operation.input {
        None => (None, Some("**request: Any".to_owned())),
        Some(shape) if shape.member("paging").is_some() => {
            (Some(format!("request: {}", input(operation))), None)
        }
        Some(_) => (
            None,
            Some(format!("**request: Unpack[{}]", input(operation))),
        ),
    };
    let start = ["client: Any", "/", "*"].map(str::to_owned);
    let parameters = start.into_iter().chain(first);
    parameters.chain([paging]).chain(rest).collect()
}
