//! Runs the state machine of a walk over pages step by step.

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::paginator::{PaginationError, Paginator, Paging, WalkStep};

use crate::file::Vector;
use crate::results;
use crate::values::{HostValue, plain};

pub(crate) fn run(vector: &Vector) -> Json {
    let paginator = Paginator::from_value(&plain(&vector.json()["paginated"])).unwrap();
    let given = |member: &str| vector.find(member).map(HostValue::new);
    let paging =
        given("paging").map_or_else(Paging::default, |paging| Paging::from_host(paging).unwrap());
    let mut walk = paginator.walk(paging);
    let mut steps = match walk.begin(given("startToken"), given("input")) {
        Ok(first) => vec![step(Ok(first))],
        Err(error) => return results::options_error(&error),
    };
    let pages = vector.list("pages").iter();
    steps.extend(pages.map(|page| step(walk.handle(HostValue::new(page)))));
    steps.into()
}

fn step(step: Result<WalkStep<&'static HostValue>, PaginationError>) -> Json {
    match step {
        Ok(WalkStep::Call { page, token }) => {
            json!({"type": "call", "page": page, "token": token.map(HostValue::to_exact_json)})
        }
        Ok(WalkStep::Done) => json!({"type": "done"}),
        Err(error) => json!({"error": {"code": error.code(), "message": error.to_string()}}),
    }
}
