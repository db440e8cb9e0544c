//! Runs the vectors that read all pages of a scripted service.

use std::cell::RefCell;

use serde_json::{Map, Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::paginator::{PageError, PageSize, Pages, Paginator, Paging};

use crate::file::Vector;
use crate::results;
use crate::values::{HostValue, plain};

/// The members of `paging` that the host implements: the first token, the page sizes and the limit.
const OWN: [&str; 3] = ["maxItems", "pageSizes", "startToken"];

pub(crate) fn run(vector: &Vector) -> Json {
    let paginator = match paginator(vector) {
        Ok(paginator) => paginator,
        Err(error) => return results::definition_error(&error),
    };
    let given = vector.find("paging").cloned().unwrap_or(json!({}));
    let (own, options): (Map<_, _>, Map<_, _>) = given
        .as_object()
        .unwrap()
        .clone()
        .into_iter()
        .partition(|(name, _)| OWN.contains(&&**name));
    let paging = match Paging::from_host(HostValue::new(&options.into())) {
        Ok(paging) => paging,
        Err(error) => return results::options_error(&error),
    };
    let Some(script) = vector.find("pages").and_then(Json::as_array) else {
        return described(&paginator);
    };
    let service = Service {
        vector,
        own: &own,
        paginator: &paginator,
        inputs: RefCell::default(),
    };
    let mut pages = Pages::new(&paginator, |token| service.call(token)).paging(paging);
    if let Some(token) = own.get("startToken") {
        pages = match pages.start_token(plain(token)) {
            Ok(pages) => pages,
            Err(error) => return results::options_error(&error),
        };
    }
    let (items, end) = walked(&paginator, pages, script.len(), own.get("maxItems"));
    json!({"inputs": service.inputs.into_inner(), "items": items, "end": end})
}

pub(crate) fn sizes(vector: &Vector) -> Json {
    let paginator = paginator(vector).unwrap();
    let result = |size| match paginator.size(HostValue::new(size)) {
        Ok(size) => json!({"size": size.map(of_size)}),
        Err(error) => results::options_error(&error),
    };
    vector.list("sizes").iter().map(result).collect()
}

fn of_size(size: PageSize) -> Json {
    match size {
        PageSize::Integer(size) => size.into(),
        PageSize::String(size) => size.into(),
    }
}

fn paginator(vector: &Vector) -> Result<Paginator, smithy_waiters::DefinitionError> {
    let Some(operation) = vector.find("operation") else {
        return Paginator::from_value(&plain(&vector.json()["paginated"]));
    };
    let service = vector.find("service").and_then(Json::as_str);
    Paginator::from_model_value(&vector.model(), operation.as_str().unwrap(), service)
}

/// Returns the properties of a paginator.
fn described(paginator: &Paginator) -> Json {
    json!({"valid": {"inputToken": paginator.input_token(), "pageSize": paginator.page_size()}})
}

/// Returns the items and the end of the walk: `done`, `limit` if the limit is reached, or `more` if the script has
/// ended.
fn walked<C>(
    paginator: &Paginator,
    mut pages: Pages<'_, C>,
    most_pages: usize,
    most_items: Option<&Json>,
) -> (Vec<Json>, Json)
where
    C: FnMut(Option<Json>) -> Result<Json, String>,
{
    let mut items = Vec::new();
    let most_items = most_items.and_then(Json::as_u64).unwrap_or(u64::MAX);
    let most_items = usize::try_from(most_items).unwrap();
    for _ in 0..most_pages {
        let page = match pages.next() {
            Some(Ok(page)) => page,
            Some(Err(error)) => return (items, failed(&error)),
            None => return (items, "done".into()),
        };
        for entry in paginator.json_items(page) {
            items.push(match entry.key {
                Some(key) => json!([key, entry.value]),
                None => entry.value,
            });
            if items.len() == most_items {
                return (items, "limit".into());
            }
        }
    }
    // No further call must be made, because the script does not have a response.
    let end = match pages.token() {
        Some(_) => "more".into(),
        None => match pages.next() {
            Some(Err(error)) => failed(&error),
            _ => "done".into(),
        },
    };
    (items, end)
}

fn failed(error: &PageError<String>) -> Json {
    let PageError::Pagination(error) = error else {
        panic!("{error}")
    };
    json!({"code": error.code(), "message": error.to_string()})
}

/// Converts a value to JSON that is equal in all languages: numbers that doubles cannot represent become their digits.
fn shown(json: &Json) -> Json {
    match json {
        Json::Number(number) if number.as_i64().is_some_and(|number| number >= 1 << 53) => {
            json!({"integer": number.to_string()})
        }
        Json::Object(members) => members
            .iter()
            .map(|(name, member)| match &**name {
                "$decimal" => ("decimal".to_owned(), member.clone()),
                _ => (name.clone(), shown(member)),
            })
            .collect(),
        other => other.clone(),
    }
}

struct Service<'a> {
    vector: &'a Vector,
    own: &'a Map<String, Json>,
    paginator: &'a Paginator,
    inputs: RefCell<Vec<Json>>,
}

impl Service<'_> {
    /// Records the input with the token and the page size, and returns the script's next page.
    fn call(&self, token: Option<Json>) -> Result<Json, String> {
        let mut inputs = self.inputs.borrow_mut();
        let made = inputs.len();
        let mut input = self.vector.find("input").cloned().unwrap_or(json!({}));
        if let Some(token) = token {
            input[self.paginator.input_token()] = token;
        }
        if let (Some(sizes), Some(member)) = (self.own.get("pageSizes"), self.paginator.page_size())
        {
            let size = &sizes[made.min(sizes.as_array().unwrap().len() - 1)];
            let size = self.paginator.size(size).unwrap().unwrap();
            input[member] = of_size(size);
        }
        inputs.push(shown(&input));
        Ok(plain(&self.vector.list("pages")[made]))
    }
}
