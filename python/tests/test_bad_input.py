"""Invalid arguments: each raises an error with a code, which names the argument, as in JavaScript."""

from __future__ import annotations

import asyncio
import copy
import inspect
import threading
from typing import TYPE_CHECKING, Any, cast

import pytest
from samples import ACTIVE, MODEL, NOT_FOUND, TABLE_EXISTS, table_exists
from virtual import run

from smithy_waiters import (
    DefinitionError,
    ExpressionError,
    OptionsError,
    StateError,
    Wait,
    Waiter,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
    WaitOptions,
    delay,
    search,
)
from smithy_waiters.events import Verdict
from smithy_waiters.retry import retry

if TYPE_CHECKING:
    from collections.abc import Callable


def in_flight() -> Wait:
    wait = table_exists().start(max_wait=60, seed=7)
    wait.poll(0)
    return wait


@pytest.mark.parametrize("acceptor", [-1, 2**70, -(2**70), 0.0, "0", True, False, [], object()], ids=repr)
def test_a_verdict_by_an_acceptor_that_is_not_an_index(acceptor: Any) -> None:
    with pytest.raises(StateError) as caught:
        Verdict(acceptor)
    assert caught.value.code == "invalid_verdict"
    assert caught.value.message == f"`acceptor` must be the index of an acceptor or `None`, got {acceptor!r}"


def test_integers_of_other_types_are_indices() -> None:
    class Index:
        def __index__(self) -> int:
            return 2

    step = in_flight().handle(Verdict(Index(), NOT_FOUND), 1)  # type: ignore[arg-type]
    assert step.type == "sleep"


@pytest.mark.parametrize(
    ("expression", "got"),
    [
        (None, "None"),
        (5, "5"),
        (True, "True"),
        (10**5000, "`int`"),
        (b"a", "`bytes`"),
        (["a"], "`list`"),
        (str, "the class `str`"),
    ],
    ids=range(7),
)
def test_an_expression_that_is_no_string(expression: Any, got: str) -> None:
    with pytest.raises(ExpressionError, match=f"^`expression` must be a string, got {got}$") as caught:
        search(expression, {"a": 1})
    assert (caught.value.code, caught.value.column) == ("invalid_expression", None)


def test_half_a_pair_in_an_expression_reads_as_it_does_in_a_value() -> None:
    assert search("a == '\ud800'", {"a": "\udfff"}) is True
    assert search('"\ud800"', {"\ufffd": 1}) == 1


@pytest.mark.parametrize("name", [5, object(), "table exists", "\ud800", "", b"TableExists"])
def test_invalid_names(name: Any) -> None:
    with pytest.raises(DefinitionError, match=r"^the waiter name `") as caught:
        Waiter(TABLE_EXISTS, name=name)
    assert caught.value.code == "invalid_name"


@pytest.mark.parametrize("name", [None, 5, "", "\ud800", "TableExist"])
def test_a_waiter_that_the_model_does_not_have(name: Any) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(MODEL, name)
    assert caught.value.code == "unknown_waiter"
    assert "TableExists" in str(caught.value)


@pytest.mark.parametrize("service", [5, "", "\ud800", "Other", []])
def test_a_service_that_the_model_does_not_have(service: Any) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(MODEL, "TableExists", service=service)
    assert caught.value.code == "unknown_service"
    assert Waiter.from_model(MODEL, "tableexists", service=None).name == "TableExists"


@pytest.mark.parametrize("given", [1, 0, "yes", [], "False"])
def test_a_flag_that_is_no_boolean(given: Any) -> None:
    makers: list[Callable[[], Waiter]] = [
        lambda: Waiter(TABLE_EXISTS, service_errors_only=given),
        lambda: Waiter.from_model(MODEL, "TableExists", service_errors_only=given),
    ]
    for make in makers:
        with pytest.raises(OptionsError, match=r"^`service_errors_only` must be a boolean, got .") as caught:
            make()
        assert (caught.value.code, caught.value.option) == ("invalid_option", "service_errors_only")


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("attempt", None),
        ("remaining", "9"),
        ("min_delay", -1),
        ("max_delay", []),
        ("random", "0"),
        ("random", True),
    ],
)
def test_delays_of_invalid_arguments(option: str, given: Any) -> None:
    arguments: dict[str, Any] = {"attempt": 1, "remaining": 60, "min_delay": 2, "max_delay": 120, "random": 0.5}
    with pytest.raises(OptionsError) as caught:
        delay(**arguments | {option: given})
    assert caught.value.option == option
    assert str(caught.value).startswith(f"`{option}` ")


def blocking(**options: Any) -> None:
    table_exists().wait(lambda: ACTIVE, **options)


def awaited(**options: Any) -> None:
    async def call() -> Any:
        return ACTIVE

    run(table_exists().wait_async(call, **options))


@pytest.mark.parametrize("wait", [blocking, awaited])
@pytest.mark.parametrize(
    ("option", "given", "code"),
    [
        ("on_attempt", 5, "invalid_option"),
        ("on_change", 5, "invalid_option"),
        ("on_failure", 5, "invalid_option"),
        ("cancel_with", 5, "invalid_option"),
        ("rate_limit", 5, "invalid_option"),
        ("sleep", 5, "invalid_option"),
        ("clock", 1.5, "invalid_option"),
        ("cancel", True, "invalid_option"),
        ("cancel", threading.Lock(), "invalid_option"),
        ("max_wait", None, "missing_option"),
        ("max_attempts", 2**70, "invalid_option"),
        ("history_limit", [], "invalid_option"),
        ("max_wiat", 5, "unknown_option"),
        ("retry_strategy", None, "unknown_option"),
    ],
)
def test_options_that_do_not_hold(wait: Callable[..., None], option: str, given: Any, code: str) -> None:
    with pytest.raises(OptionsError) as caught:
        wait(**{"max_wait": 60, option: given})
    assert (caught.value.code, caught.value.option) == (code, option)
    assert option in str(caught.value)


@pytest.mark.parametrize("wait", [blocking, awaited])
@pytest.mark.parametrize("given", ["x", None, True, float("nan"), float("inf"), 10**400])
def test_a_clock_that_gives_no_time(wait: Callable[..., None], given: Any) -> None:
    # At the start, and later.
    for times in ([given], [0.0, given]):
        with pytest.raises(OptionsError, match=r"^`clock` must return a finite number of seconds, got ") as caught:
            wait(max_wait=60, clock=iter(times).__next__)
        assert (caught.value.code, caught.value.option) == ("invalid_option", "clock")
    with pytest.raises(OptionsError, match=r"^`clock` must return a finite number of seconds, got "):
        retry(lambda: ACTIVE, clock=lambda: given)


def test_a_date_that_gives_no_time() -> None:
    with pytest.raises(OptionsError, match=r"^`date` must be a function that returns seconds since 1970, got True$"):
        retry([].pop, date=lambda: True)


@pytest.mark.parametrize("failure", [WaiterError, WaiterFailed, WaiterTimeout])
def test_failures_are_not_made_by_hand(failure: Any) -> None:
    for given in ((), ("too slow",)):
        with pytest.raises(TypeError, match=f"^`{failure.__name__}` cannot be constructed directly: .*FakeClock"):
            failure(*given)


def started(**options: Any) -> None:
    table_exists().start(**options)


@pytest.mark.parametrize("wait", [blocking, awaited, started])
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("timeout", "max_wait"),
        ("maxWaitTime", "max_wait"),
        ("max_wait_time", "max_wait"),
        ("maxWait", "max_wait"),
        ("max_wiat", "max_wait"),
        ("minDelay", "min_delay"),
        ("max_dealy", "max_delay"),
        ("retries", "max_attempts"),
        ("transientWindow", "transient_window"),
        ("abortSignal", "cancel"),
        ("onAttempt", "on_attempt"),
        ("attemptTimeout", "attempt_timeout"),
    ],
)
def test_an_option_by_another_name(wait: Callable[..., None], given: str, meant: str) -> None:
    with pytest.raises(OptionsError) as caught:
        wait(**{given: 60})
    assert caught.value.message == f"`{given}` is not an option, did you mean `{meant}`?"
    assert (caught.value.code, caught.value.option) == ("unknown_option", given)
    assert str(copy.copy(caught.value)) == caught.value.message


@pytest.mark.parametrize("given", ["poll_interval", "x", "cancel", "sleep", "clock", "on_attempt"])
def test_an_option_that_is_like_no_other(given: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(max_wait=60, **{given: None})
    assert str(caught.value) == f"`{given}` is not an option"


def test_suggested_names_are_options() -> None:
    offered = {*WaitOptions.__annotations__, *inspect.signature(Waiter.wait).parameters} - {"self", "call", "options"}
    for name in offered:
        with pytest.raises(OptionsError, match=f"^`{name}x` is not an option, did you mean `{name}`\\?$"):
            table_exists().start(**cast("Any", {f"{name}x": 1}))


def test_events_of_the_other_kind() -> None:
    with pytest.raises(OptionsError, match=r"^`cancel` must be an event whose `wait` blocks, got `Event`$"):
        blocking(max_wait=60, cancel=asyncio.Event())
    with pytest.raises(OptionsError, match=r"^`cancel` must be an event whose `wait` is awaited, got `Event`$"):
        awaited(max_wait=60, cancel=threading.Event())
