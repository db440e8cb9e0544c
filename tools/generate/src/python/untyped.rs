//! Modules for hand-written definitions. Their waits accept responses of any type.

use super::function::{Function, deprecation_message};
use super::names::{WaiterNames, of_definition};
use super::support;
use super::tree::{Doc, Py, Statement, lines, print, text};
use super::waiter::{MAX_WAIT, RAISES, SETTINGS};
use crate::error::GenerateError;
use crate::ir::Definition;

const HEAD: &str = r#"
"""A waiter from a hand-written definition."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime, timedelta
    from typing import Literal

    from smithy_waiters import Outcome, Pace, Progress
    from typing_extensions import Unpack

T = TypeVar("T")
"#;

/// Returns the text of the module.
pub(super) fn text_of(definition: &Definition) -> Result<String, GenerateError> {
    let raw = |code: &str| lines(code.trim().lines().map(text));
    let names = of_definition(definition)?;
    let factory = Function::waiter_factory(&names.factory, &definition.json, &definition.name);
    let mut parts = vec![
        raw(&head(definition)),
        raw(support::SETTINGS),
        factory.print(0),
    ];
    parts.extend([false, true].map(|is_async| wait(definition, &names, is_async).print(0)));
    let space = || {
        Doc::hardline()
            .append(Doc::hardline())
            .append(Doc::hardline())
    };
    Ok(print(&Doc::intersperse(parts, space())))
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
    let default = || format!("Wait until the waiter `{}` succeeds.", definition.name);
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
    let summary = definition.summary().unwrap_or_else(default);
    vec![summary, arguments, RAISES.to_owned()]
}

fn wait(definition: &Definition, named: &WaiterNames, is_async: bool) -> Function {
    let (method, result) = if is_async {
        ("wait_async", "Awaitable[T]")
    } else {
        ("wait", "T")
    };
    let arguments = vec![
        Py::name("call"),
        Py::keyword("input", Py::name("input")),
        Py::keyword("max_wait", Py::name("max_wait")),
        Py::keyword("", Py::name("settings")),
    ];
    let wait = Py::call(&named.factory, Vec::new()).method(method, arguments);
    let wait = if is_async {
        Py::Await(Box::new(wait))
    } else {
        wait
    };
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
        name: named.wait(is_async).to_owned(),
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
        body: vec![Statement::Return(wait)],
        ..Function::default()
    }
}
