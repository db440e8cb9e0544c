//! Modules for hand-written definitions. Their waits accept responses of any type.

use super::function::{Function, deprecation_message};
use super::names::WaiterNames;
use super::print::{self, list};
use super::support;
use super::waiter::{MAX_WAIT, RAISES, SETTINGS, summary};
use crate::document::{raw, text};
use crate::error::GenerateError;
use crate::ir::Definition;

const HEAD: &str = r#"
"""A waiter from a hand-written definition."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime, timedelta
    from typing import Literal

    from smithy_waiters import (
        Left,
        Outcome,
        Pace,
        Progress,
        RateLimit,
        Same,
        WaiterError,
    )
    from typing_extensions import Unpack

T = TypeVar("T")
"#;

/// Returns the text of the module.
pub(super) fn text_of(definition: &Definition) -> Result<String, GenerateError> {
    let names = WaiterNames::of_definition(definition)?;
    let waiter = Function::waiter(&names.waiter, &definition.json, &definition.name);
    let waits = [false, true].map(|is_async| wait(definition, &names, is_async));
    let mut parts = vec![raw(&head(definition)), raw(support::SETTINGS)];
    parts.extend([waiter].iter().chain(&waits).map(Function::print));
    Ok(print::module(parts))
}

fn head(definition: &Definition) -> String {
    if !definition.deprecated {
        return HEAD.to_owned();
    }
    let import = "from smithy_waiters import Waiter\n";
    let head = HEAD.replace(import, &format!("{import}{}", support::DEPRECATED));
    head.replace(
        "from functools import cache",
        "import sys\nimport warnings\nfrom functools import cache",
    )
}

fn documentation(definition: &Definition, is_async: bool) -> Vec<String> {
    let call = if is_async {
        "Sends the request of each attempt and returns an awaitable."
    } else {
        "Sends the request of each attempt."
    };
    let input = if definition.looks_at_input() {
        "The input of the operation, which the matchers read."
    } else {
        "The input of the operation."
    };
    let arguments = format!(
        "Args:\n    call: {call}\n    max_wait: {MAX_WAIT}\n    input: {input}\n    **settings: {SETTINGS}"
    );
    let summary = summary(definition.summary(), &definition.name);
    vec![summary, arguments, RAISES.to_owned()]
}

fn wait(definition: &Definition, names: &WaiterNames, is_async: bool) -> Function {
    let result = if is_async { "Awaitable[T]" } else { "T" };
    let arguments = ["call", "input=input", "max_wait=max_wait", "**settings"];
    let wait = format!("return {}", names.engine_wait(is_async));
    // A matcher that reads the input would compare with null without one, so the parameter is required.
    let input = if definition.looks_at_input() {
        "input: Any"
    } else {
        "input: Any = None"
    };
    Function {
        deprecated: definition
            .deprecated
            .then(|| deprecation_message("definition", None)),
        is_async,
        name: names.wait(is_async).to_owned(),
        parameters: vec![
            format!("call: Callable[[], {result}]"),
            "/".to_owned(),
            "*".to_owned(),
            "max_wait: float | timedelta".to_owned(),
            input.to_owned(),
            "**settings: Unpack[Settings]".to_owned(),
        ],
        returns: "Outcome[T]".to_owned(),
        docs: documentation(definition, is_async),
        body: vec![list(wait, arguments.map(text).to_vec(), ")")],
        ..Function::default()
    }
}
