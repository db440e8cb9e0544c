//! Steps as JSON text.

use serde::Serialize;
use smithy_waiters::{Ending, Step};

use crate::error::json;

#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
enum Text<'a> {
    Call {
        attempt: u64,
        remaining_ms: u64,
    },
    Sleep {
        delay_ms: u64,
        last: bool,
    },
    Done {
        ending: &'a Ending,
        explanation: String,
    },
}

/// `{"type": "call" | "sleep" | "done", …}`.
pub(crate) fn text(step: &Step) -> String {
    json(&match step {
        Step::Call {
            attempt,
            remaining_ms,
        } => Text::Call {
            attempt: *attempt,
            remaining_ms: *remaining_ms,
        },
        Step::Sleep { delay_ms, last } => Text::Sleep {
            delay_ms: *delay_ms,
            last: *last,
        },
        Step::Done(ending) => Text::Done {
            ending,
            explanation: ending.explain(),
        },
    })
}
