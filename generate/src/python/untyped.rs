//! A hand-written definition: the same waits, on responses of any type.

use super::function::{Function, deprecated};
use super::names::{WaiterNames, of_definition};
use super::support;
use super::tree::{Doc, Py, Statement, lines, print, text};
use crate::error::GenerateError;
use crate::ir::Definition;
use crate::names;

const HEAD: &str = r#"
"""A waiter of a hand-written definition."""

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

/// The module's text.
pub(super) fn text_of(definition: &Definition) -> Result<String, GenerateError> {
    let raw = |code: &str| lines(code.trim().lines().map(text));
    let names = of_definition(definition)?;
    let holder = Function::waiter_holder(&names.holder, &definition.json, &definition.name);
    let mut parts = vec![
        raw(&head(definition)),
        raw(support::SETTINGS),
        holder.print(0),
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
    let own = "from smithy_waiters import Waiter\n";
    let head = HEAD.replace(own, &format!("{own}{}", support::DEPRECATED));
    head.replace(
        "from functools import cache",
        "import sys\nimport warnings\nfrom functools import cache",
    )
}

fn wait(definition: &Definition, named: &WaiterNames, is_async: bool) -> Function {
    let (method, called) = if is_async {
        ("wait_async", "Awaitable[T]")
    } else {
        ("wait", "T")
    };
    let words = names::words(&definition.name).join(" ");
    let own = definition.summary();
    let arguments = vec![
        Py::name("call"),
        Py::keyword("input", Py::name("input")),
        Py::keyword("max_wait", Py::name("max_wait")),
        Py::keyword("", Py::name("settings")),
    ];
    let waited = Py::call(&named.holder, Vec::new()).method(method, arguments);
    let waited = if is_async {
        Py::Await(Box::new(waited))
    } else {
        waited
    };
    // Without what its matchers look at, a wait would only ever compare with null.
    let input = if definition.looks_at_input() {
        "input: Any"
    } else {
        "input: Any = None"
    };
    Function {
        deprecated: definition
            .deprecated
            .then(|| deprecated("definition", None)),
        is_async,
        name: named.wait(is_async).to_owned(),
        parameters: vec![
            format!("call: Callable[[], {called}]"),
            "/".to_owned(),
            "*".to_owned(),
            "max_wait: float | timedelta".to_owned(),
            input.to_owned(),
            "**settings: Unpack[Settings]".to_owned(),
        ],
        returns: "Outcome[T]".to_owned(),
        docs: vec![own.unwrap_or_else(|| format!("Wait for {words}."))],
        body: vec![Statement::Return(waited)],
        ..Function::default()
    }
}
