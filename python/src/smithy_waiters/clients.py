"""The shared parts of `smithy_waiters.boto3` and `smithy_waiters.aiobotocore`.

An exception of their waiters is both a `smithy_waiters.WaiterError` and a `botocore.exceptions.WaiterError`.
"""

# botocore is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
from copy import copy
from difflib import get_close_matches
from functools import partial, reduce
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar
from weakref import WeakKeyDictionary

from botocore import xform_name
from botocore.client import BaseClient
from botocore.credentials import Credentials, RefreshableCredentials
from botocore.exceptions import ClientError, ParamValidationError
from botocore.exceptions import WaiterError as BotocoreError
from botocore.validate import ParamValidator
from botocore.waiter import SingleWaiterConfig

from . import _engine
from .botocore import installed, loader_of, pagination, read
from .errors import (
    DefinitionError,
    OptionsError,
    WaiterAttemptsExceeded,
    WaiterCancelled,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
)
from .json_text import waiters_text
from .option_names import check_names
from .options import DriverOptions, Left, Same
from .pagination import Paginator
from .resource_lists import FILTER_VALUES, ResourceList, find
from .waiter import Waiter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime, timedelta
    from os import PathLike
    from typing import Literal

    from typing_extensions import Self

    from ._engine import Done, RateLimit
    from .definition import AcceptorDefinition, MatcherDefinition
    from .fleet import Fleet
    from .outcome import Progress
    from .pace import Pace

_F = TypeVar("_F", bound="Callable[..., Any]")
_T = TypeVar("_T")
_R_co = TypeVar("_R_co", covariant=True)

_OPTIONS = {*DriverOptions.__annotations__, "cancel", "clock", "on_attempt", "progress", "sleep"}

# An acceptor that no response and no error matches, for the waiters of botocore that cannot succeed.
_NEVER = {"state": "success", "matcher": "error", "expected": "smithy_waiters.never"}


class ClientWaiterError(WaiterError, BotocoreError):
    """A wait of a client that ended without success.

    Attributes:
        last_response: The last response, or the response of the last error.
        kwargs: The `name` of the waiter and the `reason`, as in botocore.

    """

    def __init__(self, report: Done | None = None, *, response: Any = None, error: BaseException | None = None) -> None:
        super().__init__(report, response=response, error=error)
        failed = report is not None and report.last_result == "error"
        self.last_response: Any = getattr(error, "response", None) if failed else response
        self.kwargs: Mapping[str, Any] = {"name": self.waiter, "reason": self.message}

    def __str__(self) -> str:
        return self.fmt.format(**self.kwargs)


class ClientWaiterFailed(ClientWaiterError, WaiterFailed):
    """A failure state, or an error that no acceptor matches."""


class ClientWaiterTimeout(ClientWaiterError, WaiterTimeout):
    """The time is up."""


class ClientWaiterAttemptsExceeded(ClientWaiterError, WaiterAttemptsExceeded):
    """The maximum number of attempts was made."""


class ClientWaiterCancelled(ClientWaiterError, WaiterCancelled):
    """The wait was cancelled."""


_CLASSES: dict[type[WaiterError], type[ClientWaiterError]] = {
    WaiterFailed: ClientWaiterFailed,
    WaiterTimeout: ClientWaiterTimeout,
    WaiterAttemptsExceeded: ClientWaiterAttemptsExceeded,
    WaiterCancelled: ClientWaiterCancelled,
}


class Wait(Protocol[_R_co]):
    """The method `wait` of a waiter of a client."""

    def __call__(
        self,
        *,
        request: dict[str, Any] | None = None,
        max_wait: float | timedelta | None = None,
        deadline: float | datetime | None = None,
        attempt_timeout: float | timedelta | None = None,
        min_delay: float | timedelta | None = None,
        max_delay: float | timedelta | None = None,
        max_attempts: int | None = None,
        initial_delay: float | timedelta | None = None,
        seed: int | None = None,
        history_limit: int | None = None,
        hints: bool | None = None,
        final_poll: Literal["specification", "late"] | None = None,
        pace: Pace | None = None,
        transient_errors: Literal["retry", "fail"] | None = None,
        transient_window: float | timedelta | None = None,
        not_found_for: float | timedelta | None = None,
        same: Same | None = None,
        left: str | float | Left | None = None,
        left_else: Literal["fail", "accept"] | None = None,
        left_within: float | timedelta | None = None,
        at_least: Mapping[str, float] | None = None,
        successes: int | None = None,
        stable_for: float | timedelta | None = None,
        label: str | None = None,
        show: Sequence[str] | None = None,
        redact: Sequence[str] | None = None,
        rate_limit: RateLimit | None = None,
        on_attempt: Callable[[Progress[dict[str, Any]]], object] | None = None,
        on_change: Callable[[Progress[dict[str, Any]]], object] | None = None,
        on_failure: Callable[[Any], object] | None = None,
        cancel_with: Callable[[], object] | None = None,
        progress: bool | None = None,
        cancel: Any = None,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], object] | None = None,
        **arguments: Any,
    ) -> _R_co:
        """Wait until the resource is in the desired state.

        The delay is botocore's. Without `max_wait`, `deadline` or `max_attempts`, the number of attempts is botocore's,
        too. Durations are seconds or a `timedelta`.

        Args:
            request: The arguments of the operation, if one of them has the name of an option.
            max_wait: The maximum duration of the wait.
            deadline: The end of the wait: an aware `datetime`, or a time of `clock` or `time.monotonic`.
            attempt_timeout: The maximum duration of one attempt, for asynchronous clients.
            min_delay: The minimum delay between two attempts. `max_delay` must not be less.
            max_delay: The maximum delay between two attempts.
            max_attempts: The maximum number of attempts.
            initial_delay: A pause before the first attempt.
            seed: The seed of the delays.
            history_limit: The maximum number of attempts in the history; 10 by default.
            hints: `False` switches off the hints at probable mistakes.
            final_poll: `"late"` polls until the deadline.
            pace: The rule for the delays: `every(15)` or `proportional(0.1)`.
            transient_errors: `"fail"` ends the wait on any error that no acceptor matches.
            transient_window: The time without any answer after which the wait fails.
            not_found_for: The time for which the resource may not exist yet.
            same: Whose success counts: `{"path": …, "is": …}`.
            left: The state before a change, which must be left before a success counts.
            left_else: `"accept"` counts a success although the state was not left in time.
            left_within: The time in which the state must be left, or the value of `same` be seen.
            at_least: The least numbers of paths.
            successes: The number of successes in a row.
            stable_for: The time for which every response must be a success.
            label: A text that follows the waiter's name in messages, such as the name of the resource.
            show: Paths of a response whose values are included in progress and messages.
            redact: Paths of members whose values are hidden.
            rate_limit: A `RateLimit` that several waits and fleets share.
            on_attempt: A function that is called with the `Progress` after each attempt.
            on_change: A function that is called with the `Progress` after each attempt with a new result.
            on_failure: A function that is called with the error if the wait fails; its result is the error's `details`.
            cancel_with: A function that stops the work, which is called if the wait gives up on it.
            progress: `True` shows the latest attempt in one line on standard error.
            cancel: An event that cancels the wait.
            clock: A clock, such as `smithy_waiters.testing.FakeClock`.
            sleep: A function that sleeps a number of seconds.
            **arguments: The arguments of the operation.

        Raises:
            WaiterError: The wait failed. The exception is also a `botocore.exceptions.WaiterError`.
            OptionsError: An option is invalid, or an argument is unknown or has the name of an option.
            ParamValidationError: An argument of the operation is invalid (`botocore.exceptions`).

        """
        ...


def describe(wait: Any) -> Any:
    """Give a method the signature and the documentation of `Wait`, for `help` and for completion at run time."""
    wait.__doc__, wait.__signature__ = Wait.__call__.__doc__, signature(Wait.__call__)
    return wait


def waiter_config(
    *,
    Delay: float | None = None,  # noqa: N803
    MaxAttempts: int | None = None,  # noqa: N803
    MaxWait: float | timedelta | None = None,  # noqa: N803
) -> Any:
    """Return the `WaiterConfig` of a patched waiter. Stubs of boto3 accept it, although they do not know `MaxWait`.

    >>> waiter_config(Delay=5, MaxWait=300)
    {'Delay': 5, 'MaxWait': 300}

    Args:
        Delay: The delay between two attempts, in seconds; botocore's by default.
        MaxAttempts: The maximum number of attempts; botocore's by default, if there is no `MaxWait`.
        MaxWait: The maximum duration of the wait: seconds, or a `timedelta`.

    """
    members = {"Delay": Delay, "MaxAttempts": MaxAttempts, "MaxWait": MaxWait}
    return {name: value for name, value in members.items() if value is not None}


def problem(failure: WaiterError) -> Exception:
    """Return the exception of a waiter of a client: a mistake in the arguments is not a failed wait."""
    if isinstance(failure.error, ParamValidationError) and failure.code == "unmatched_error":
        error: Exception = failure.error
        return error
    return _convert(failure)


def _convert(failure: WaiterError) -> ClientWaiterError:
    """Return a failure as an exception of botocore, too."""
    converted = _CLASSES[type(failure)](failure._report, response=failure.response, error=failure.error)  # noqa: SLF001
    converted.__cause__ = failure.__cause__
    for name in ("details", "details_error", "cancel_error"):
        setattr(converted, name, getattr(failure, name))
    return converted


def _botocore_reason(failure: WaiterError, config: Any) -> str | None:
    """Return the reason in botocore's words, which programs search for."""
    if failure.code == "failure_state":
        return f"Waiter encountered a terminal failure state: {_explanation(failure.acceptor, config)}"
    if failure.code == "unmatched_error" and isinstance(failure.error, ClientError):
        error: Any = failure.error.response.get("Error", {})
        return f"An error occurred ({error.get('Code', 'Unknown')}): {error.get('Message', 'Unknown')}"
    if failure.code == "too_many_attempts":
        matched = [record.acceptor for record in failure.history if record.acceptor is not None]
        previous = f". Previously accepted state: {_explanation(matched[-1], config)}" if matched else ""
        return f"Max attempts exceeded{previous}"
    return None


def _explanation(index: int | None, config: Any) -> str:
    # A status is two acceptors of the waiter: one for responses and one for errors.
    acceptors = [acceptor for acceptor in config.acceptors for _ in range(1 + (acceptor.matcher == "status"))]
    return str(acceptors[index or 0].explanation)


def call(method: Callable[..., _T], members: dict[str, Any], operation: str) -> Callable[[], _T]:
    """Return the call of a wait: a response that botocore takes for an error is raised as one."""

    def checked() -> _T:
        try:
            return _check_response(method(**members), operation)
        except ClientError as error:
            _mark(error, method)
            raise

    return checked


def call_async(
    method: Callable[..., Awaitable[_T]], members: dict[str, Any], operation: str
) -> Callable[[], Awaitable[_T]]:
    """Return the asynchronous call of a wait. See `call`."""

    async def checked() -> _T:
        try:
            return _check_response(await method(**members), operation)
        except ClientError as error:
            _mark(error, method)
            raise

    return checked


def _mark(error: Any, method: Any) -> None:
    """Mark the error of a client that cannot renew its credentials. Rule: docs/rules.md#expired-credentials."""
    signer = getattr(getattr(method, "__self__", None), "_request_signer", None)
    credentials = getattr(signer, "_credentials", None)
    error.static_credentials = isinstance(credentials, Credentials) and not isinstance(
        credentials, RefreshableCredentials
    )


def _check_response(response: _T, operation: str) -> _T:
    """Return the response, or raise it if it describes an error, as botocore's waiters do."""
    facts: Any = response
    error: Any = facts.get("Error") if isinstance(facts, dict) else None
    if isinstance(error, dict) and "Code" in error:
        raised: Any = facts
        raise ClientError(raised, operation)
    return response


def _file(client: Any, definitions: PathLike[str] | None) -> Mapping[str, Any]:
    """Return the waiters of a client in botocore's format, with those of a project's files."""
    service = client.meta.service_model
    arguments = (service.service_name, service.api_version, loader_of(client))
    if definitions is None:
        return installed(*arguments)
    file: Mapping[str, Any]
    try:
        file = installed(*arguments)
    except DefinitionError:
        # The service has no waiters yet.
        file = {"version": 2, "waiters": {}}
    waiters: dict[str, Any] = {**file["waiters"]}
    path = Path(definitions)
    for one in sorted(path.glob("*.json*")) if path.is_dir() else [path]:
        text = read(one)
        _engine._botocore_names(text)  # noqa: SLF001 - raises an error for a file in another format.
        waiters |= json.loads(text)["waiters"]
    return {**file, "waiters": waiters}


# The waiters of each loader by service, version and name: to translate one takes longer than a request is worth.
_FOUND: WeakKeyDictionary[Any, dict[tuple[str, str, str], tuple[str, Waiter, Any]]] = WeakKeyDictionary()


def _find(client: Any, waiter_name: str, definitions: PathLike[str] | None) -> tuple[str, Waiter, Any]:
    """Return the name, the waiter and botocore's configuration of a waiter."""
    service, loader = client.meta.service_model, loader_of(client)
    # Files of a project can change.
    is_cached = definitions is None and loader is not None
    known = _FOUND.setdefault(loader, {}) if is_cached else {}
    key = (service.service_name, service.api_version, str(waiter_name))
    if key not in known:
        file = _file(client, definitions)
        name = _engine._botocore_find(waiters_text(file), waiter_name)  # noqa: SLF001
        own = file["waiters"][name]
        waiter = Waiter.from_botocore({**file, "waiters": {name: own}}, name)
        known[key] = (name, waiter, SingleWaiterConfig(own))
    return known[key]


class BaseClientWaiter:
    """A waiter of a client, without its method `wait`."""

    name: str
    waiter: Waiter
    config: Any

    def __init__(self, client: Any, waiter_name: str, definitions: PathLike[str] | None = None) -> None:
        service = client.meta.service_model
        self.name, self.waiter, self.config = _find(client, waiter_name, definitions)
        self.operation: str = self.config.operation
        if self.operation not in service.operation_names:
            similar: list[str] = get_close_matches(self.operation, service.operation_names, 1)
            near = "".join(f"; did you mean `{name}`?" for name in similar)
            message = f"`{self.name}` calls `{self.operation}`, which `{service.service_name}` does not have{near}"
            raise DefinitionError(message, "unknown_operation", f"waiters.{self.name}.operation")
        self._client = client
        self._extensions: tuple[dict[str, Any], ...] = ()
        self._method = getattr(client, xform_name(self.operation))
        self._input: Any = service.operation_model(self.operation).input_shape
        self._members: tuple[str, ...] = tuple(self._input.members if self._input else ())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} of {self.operation}>"

    def extend(
        self,
        *,
        fail: Sequence[str | MatcherDefinition] | None = None,
        first: Sequence[AcceptorDefinition] | None = None,
    ) -> Self:
        """Return a copy of the waiter with additional acceptors, which are evaluated before those of botocore.

        >>> table_exists = waiter(client, "table_exists").extend(fail=["ARCHIVED"])
        >>> table_exists.wait(TableName="orders", max_wait=300)

        The client, the delays and `config` stay the same. The waits of a fleet have the acceptors, too.

        Args:
            fail: Failures: values of the path that the waiter's success reads, or matchers of the specification. See
                `Waiter.extend`.
            first: Acceptors of the specification, which are evaluated before all others.

        Raises:
            DefinitionError: The waiter has no path that a value can belong to, or an acceptor is invalid.

        """
        extension = {"fail": fail, "first": first}
        extended = copy(self)
        extended.waiter = self.waiter.extend(fail=fail, first=first)
        extended._extensions = (*self._extensions, extension)  # noqa: SLF001 - of the same class.
        return extended

    def _extended(self, waiter: Waiter) -> Waiter:
        return reduce(lambda one, extension: one.extend(**extension), self._extensions, waiter)

    def split(self, arguments: dict[str, Any], request: dict[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the options, and the arguments of the operation."""
        if request is not None:
            return arguments, request
        for name in arguments:
            if name in _OPTIONS and name in self._members:
                message = f"`{name}` is an option and an argument of {self.operation}: pass the arguments as `request`"
                raise OptionsError(message, "conflicting_options", name)
        if "WaiterConfig" in arguments:
            message = "`WaiterConfig` is for patched clients: use `min_delay` and `max_delay` instead of `Delay`, and "
            raise OptionsError(message + "`max_attempts` instead of `MaxAttempts`", "unknown_option", "WaiterConfig")
        members = ", ".join(f"`{name}`" for name in self._members) or "none"
        hint = f" and not a parameter of {self.operation}, which has {members}"
        check_names(arguments, [*sorted(_OPTIONS), *self._members], hint)
        options = {name: value for name, value in arguments.items() if name in _OPTIONS}
        return options, {name: value for name, value in arguments.items() if name not in _OPTIONS}

    def _fleet(
        self,
        answer: Callable[..., Any],
        parameters: dict[str, Any],
        *,
        is_async: bool,
        batch: int | None,
        **options: Any,
    ) -> Fleet[dict[str, Any]]:
        """Return a fleet. `answer` makes a request."""
        lists = self._lists()
        request = self._request(lists, parameters)
        trait = pagination(self._client, self.operation)
        paginator = None if trait is None else Paginator(trait)

        def call(ids: list[str]) -> object:
            if paginator is None:
                return answer(**request(ids))
            pages = paginator.pages_async if is_async else paginator.pages
            return pages(answer, request(ids))

        batch = _batch(lists, batch, self.operation)
        waiter = self._of_resource(lists)
        return waiter.fleet(call, items=lists.items, key=lists.key, also=lists.also, batch=batch, **options)

    def _lists(self) -> ResourceList:
        service = self._client.meta.service_model.service_name
        lists = find(service, self.operation, self.name)
        if lists is None:
            message = f"`{self.operation}` of `{service}` answers for one resource: `Waiter.fleet` has a fleet of "
            raise OptionsError(message + "another call, which answers for many", "invalid_option", "fleet")
        # Only an error of the service says that a resource is deleted.
        is_deletion = any(one.matcher == "error" and one.state == "success" for one in self.config.acceptors)
        return lists if is_deletion else lists._replace(filter=None)

    def _request(self, lists: ResourceList, parameters: dict[str, Any]) -> Callable[[list[str]], dict[str, Any]]:
        """Return the function that makes the arguments of the operation for identifiers."""
        if lists.parameter in parameters:
            message = f"`{lists.parameter}` are the identifiers of the fleet's waits: pass them to `wait_each`"
            raise OptionsError(message, "invalid_option", lists.parameter)
        members = ", ".join(f"`{name}`" for name in self._members)
        hint = f" and not a parameter of {self.operation}, which has {members}"
        check_names(parameters, ["batch", "clock", "rate", "sleep", *self._members], hint)
        fixed = {**(lists.fixed or {}), **parameters}

        def request(ids: list[str]) -> dict[str, Any]:
            if lists.filter is None:
                return {**fixed, lists.parameter: ids}
            filters, name = lists.filter
            return {**fixed, filters: [*fixed.get(filters, ()), {"Name": name, "Values": ids}]}

        # A mistake would look like an unknown identifier, which the fleet searches.
        report = ParamValidator().validate(request(["id"]), self._input)
        if report.has_errors():
            raise ParamValidationError(report=report.generate_report())
        return request

    def _of_resource(self, lists: ResourceList) -> Waiter:
        """Return the waiter for answers that hold one resource, and for the error that they do not have it.

        Without an error of the definition for that, the verdict is that of an empty answer, as in botocore.
        """
        # Such an answer has no status. The call had one, which was no error.
        seen = {"matcher": "path", "argument": f"length({lists.items}) > `0`", "expected": True}
        acceptors = [
            {**one, **seen} if (one["matcher"], one["expected"]) == ("status", 200) else one
            for one in _acceptors(self.config)
        ]
        waiter = self._extended(_waiter(self.name, self.config, acceptors))
        # The answer says itself what it lacks.
        if lists.also:
            return waiter
        empty: dict[str, Any] = {lists.items.partition("[")[0]: []}
        absent = {"state": waiter.evaluate(response=empty).state, "matcher": "error", "expected": "NotFound"}
        return self._extended(_waiter(self.name, self.config, [*acceptors, absent]))


def _batch(lists: ResourceList, batch: Any, operation: str) -> Any:
    """Return the most identifiers of a call."""
    limit = FILTER_VALUES if lists.filter else lists.batch
    if batch is None:
        return lists.batch
    if limit is not None and isinstance(batch, int) and batch > limit:
        raise _engine._must_be("batch", f"at most {limit} for {operation}", batch)  # noqa: SLF001
    return batch


# A waiter whose options are checked, without a wait.
_CHECKED = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}]})


def patched_waiter(waiter: Any, arguments: dict[str, Any]) -> tuple[Waiter, dict[str, Any], dict[str, Any]]:
    """Return the engine's waiter, the options in `WaiterConfig`, and the arguments of a patched waiter's operation."""
    config = waiter.config
    members = dict(arguments)
    settings = dict(members.pop("WaiterConfig", None) or {})
    delay = settings.pop("Delay", config.delay)
    limits = {"max_attempts": settings.pop("MaxAttempts", None), "max_wait": settings.pop("MaxWait", None)}
    # Without a limit of the caller, that of botocore's definition applies.
    if limits == dict.fromkeys(limits):
        limits["max_attempts"] = config.max_attempts
    for member in settings:
        message = f"`WaiterConfig` has no member `{member}`: it has `Delay`, `MaxAttempts` and `MaxWait`"
        raise OptionsError(message, "unknown_option", member)
    options = {"min_delay": delay, "max_delay": delay, "transient_errors": waiter.transient_errors, **limits}
    return _waiter(waiter.name, config, _acceptors(config)), options, members


def _acceptors(config: Any) -> list[dict[str, Any]]:
    """Return the acceptors of a configuration, which may come from a program instead of a file."""
    names = ("state", "matcher", "argument", "expected")
    return [
        {name: value for name in names if (value := getattr(acceptor, name)) is not None}
        for acceptor in config.acceptors
    ]


def _waiter(name: str, config: Any, acceptors: list[dict[str, Any]]) -> Waiter:
    """Return the waiter of a configuration, with these acceptors."""
    if not any(acceptor["state"] == "success" for acceptor in acceptors):
        acceptors = [*acceptors, _NEVER]
    definition = {
        "operation": config.operation,
        "delay": config.delay,
        "maxAttempts": config.max_attempts,
        "acceptors": acceptors,
    }
    return Waiter.from_botocore({"version": 2, "waiters": {name: definition}}, name)


def patched_problem(failure: WaiterError, config: Any) -> BaseException:
    """Return the exception of a patched client: an error that is not an error of the service stays unchanged."""
    error = failure.error
    if failure.code == "unmatched_error" and error is not None and not isinstance(error, ClientError):
        return error
    converted = _convert(failure)
    reason = _botocore_reason(failure, config)
    if reason is not None:
        s = "" if failure.attempts == 1 else "s"
        totals = f"{failure.elapsed:.10g} s and {failure.attempts} attempt{s}"
        converted.kwargs = {**converted.kwargs, "reason": f"{reason} (after {totals})"}
    return converted


def check(client: object, *, is_async: bool) -> None:
    """Raise an error if the object is not a client of this kind.

    Raises:
        TypeError: The object is not a client, or it is a client of the other kind.

    """
    if not isinstance(client, BaseClient):
        library = "aiobotocore" if is_async else "boto3"
        raise TypeError(f"`client` must be a client of {library}, got {client!r}{_instead_of(client)}")
    if _is_async(type(client)) != is_async:
        kinds = ("aiobotocore", "boto3") if is_async else ("boto3", "aiobotocore")
        message = f"`client` must be a client of {kinds[0]}: use `smithy_waiters.{kinds[1]}` for this one"
        raise TypeError(message)


def _instead_of(target: object) -> str:
    """Return advice for an object that has a client, such as a resource of boto3."""
    return ": use its `meta.client`" if hasattr(getattr(target, "meta", None), "client") else ""


def _is_async(cls: type) -> bool:
    return any(base.__module__.startswith("aiobotocore.") for base in cls.__mro__)


def patch(
    target: Any,
    waiter_class: Any,
    transient_errors: Literal["retry", "fail"],
    *,
    get_waiter: Callable[[Any, str], Any],
    is_async: bool,
) -> Any:
    """Replace `get_waiter` of a client, or of all later clients of a session. `get_waiter` is the original.

    Raises:
        OptionsError: `transient_errors` is neither `"retry"` nor `"fail"`.
        TypeError: The target is neither a client of this kind nor a session.

    """
    # The engine checks the value now, and not when the first wait starts.
    _CHECKED.start(max_attempts=1, transient_errors=transient_errors)
    waiter_class = type(waiter_class.__name__, (waiter_class,), {"transient_errors": transient_errors})

    def patched(client: Any, waiter_name: str) -> Any:
        try:
            original = get_waiter(client, waiter_name)
        except ValueError:
            # The name may be in another style. Otherwise, this error has the names that exist.
            name = Waiter.from_botocore(client, waiter_name).name or waiter_name
            original = get_waiter(client, xform_name(name))
        return _of_class(waiter_class, original, client)

    def add(class_attributes: dict[str, Any], **_: object) -> None:
        class_attributes["get_waiter"] = patched

    register = getattr(getattr(target, "events", None), "register", None) or getattr(target, "register", None)
    if isinstance(target, BaseClient):
        check(target, is_async=is_async)
        vars(target)["get_waiter"] = partial(patched, target)
    elif register is not None:
        register("creating-client-class", add, unique_id="smithy-waiters")
    else:
        is_default = target is None and not is_async
        hint = ": call `boto3.setup_default_session()` first" if is_default else _instead_of(target)
        raise TypeError(f"`target` must be a client or a session, got {target!r}{hint}")
    return target


def _of_class(waiter_class: Any, original: Any, client: Any) -> Any:
    """Return a waiter like the original, of a class with the name and the documentation of botocore's class."""

    def wait(self: Any, **kwargs: Any) -> Any:
        return waiter_class.wait(self, **kwargs)

    original_class: Any = type(original)
    wait.__doc__ = original_class.wait.__doc__
    cls = type(original_class.__name__, (waiter_class,), {"wait": wait})
    return cls(original.name, original.config, getattr(client, xform_name(original.config.operation)))


def with_feature(context: str) -> Callable[[_F], _F]:
    """Return a decorator that adds the feature of waiters to the user agent of a method's requests, as botocore does.

    `context` is the module with the client's request context. Earlier versions of the SDKs lack it and report no
    features.
    """
    try:
        module: Any = import_module(context)
        from botocore.useragent import register_feature_id  # noqa: PLC0415
    except ImportError:
        return lambda method: method
    decorator: Callable[[_F], _F] = module.with_current_context(partial(register_feature_id, "WAITER"))
    return decorator
