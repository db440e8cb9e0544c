//! Functions for the pages of operations.

use smithy_waiters_model::Shape;

use super::function::{Function, deprecation_message};
use super::method::{bound_method, method_name};
use super::names::{Names, PageNames};
use super::print::{call, dict, string_literal};
use super::types::{input, output};
use crate::document::text;
use crate::ir::{Operation, Pagination, Service};

/// Returns the functions that iterate over pages and the cached factories of the paginators.
pub(super) fn functions(service: &Service<'_>, names: &Names<'_>) -> Vec<Function> {
    let paginated = service.paginated_operations().zip(&names.pages);
    let functions = paginated.flat_map(|((operation, pages), names)| {
        let functions = [false, true].map(|is_async| pages_function(operation, names, is_async));
        std::iter::once(factory(pages, names)).chain(functions)
    });
    functions.collect()
}

fn factory(pages: &Pagination<'_>, names: &PageNames) -> Function {
    let members = pages.members().into_iter();
    let members = dict(members.map(|(name, value)| (name, text(string_literal(value)))));
    Function::cached(&names.factory, "Paginator", vec![members])
}

fn pages_function(operation: &Operation<'_>, names: &PageNames, is_async: bool) -> Function {
    let [name, name_async] = &names.functions;
    let (name, method, returns) = if is_async {
        (name_async, "pages_async", "AsyncIterator")
    } else {
        (name, "pages", "Iterator")
    };
    let options = "**paging or {}".to_owned();
    let arguments = [bound_method(operation), "request".to_owned(), options];
    let pages = call(&format!("return paginator.{method}"), arguments);
    let deprecation = operation.deprecated;
    Function {
        deprecated: deprecation
            .map(|deprecation| deprecation_message("operation", deprecation.message)),
        name: name.clone(),
        parameters: parameters(operation),
        returns: format!("{returns}[{}]", output(operation)),
        docs: documentation(operation, is_async),
        body: vec![text(format!("paginator = {}()", names.factory)), pages],
        ..Function::default()
    }
}

fn documentation(operation: &Operation<'_>, is_async: bool) -> Vec<String> {
    let method = method_name(operation.name);
    let (iterator, client) = if is_async {
        (
            "an async iterator",
            "An async client, such as aiobotocore's.",
        )
    } else {
        ("an iterator", "The boto3 client.")
    };
    let request = match operation.input {
        Some(shape) if has_paging_member(shape) => "request: The input of the operation.",
        _ => "**request: The input of the operation, by member.",
    };
    vec![
        format!("Return {iterator} over the pages of `{method}`."),
        "Each page is requested when the iteration reaches it.".to_owned(),
        format!(
            "Args:\n    client: {client}\n    paging: The options of the pagination.\n    {request}"
        ),
        "Raises:\n    PaginationError: The token of a page is invalid or repeated.\n    \
         OptionsError: An option is invalid."
            .to_owned(),
    ]
}

fn has_paging_member(shape: &Shape<'_>) -> bool {
    shape.member("paging").is_some()
}

/// Returns the parameters. The request is one parameter if it has a member named `paging`.
fn parameters(operation: &Operation<'_>) -> Vec<String> {
    let paging = "paging: PageOptions | None = None".to_owned();
    let (first, rest) = match operation.input {
        None => (None, Some("**request: Any".to_owned())),
        Some(shape) if has_paging_member(shape) => {
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
