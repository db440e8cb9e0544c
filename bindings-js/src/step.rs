//! Steps as JSON text.

use smithy_waiters::Step;
use smithy_waiters::json::{Json, object};

/// `{"type": "call" | "sleep" | "done", …}`.
pub(crate) fn text(step: &Step) -> String {
    match step {
        Step::Call {
            attempt,
            remaining_ms,
        } => object(&[
            ("type", "call".into()),
            ("attempt", (*attempt).into()),
            ("remainingMs", (*remaining_ms).into()),
        ]),
        Step::Sleep { delay_ms, last } => object(&[
            ("type", "sleep".into()),
            ("delayMs", (*delay_ms).into()),
            ("last", (*last).into()),
        ]),
        Step::Done(ending) => object(&[
            ("type", "done".into()),
            ("ending", Json::Text(ending.to_json())),
            ("explanation", (&*ending.explain()).into()),
        ]),
    }
}
