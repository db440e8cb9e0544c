"""Run the vectors for retry strategies, the classification of failures, and whole requests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import results
from failures import failure_of, operation_with
from operations import operation_of
from service import Service, asynchronous, blocking
from values import message_of, resolve
from waiters import snake_case, waiter_of

from smithy_waiters._engine import Request
from smithy_waiters.errors import OptionsError, RetryError, RetryRefusal, TokenError
from smithy_waiters.failed_request import facts
from smithy_waiters.retry import (
    FailureInfo,
    RetryInfo,
    RetryProgress,
    RetryQuota,
    StandardRetryStrategy,
    retry,
    retry_async,
)

if TYPE_CHECKING:
    from collections.abc import Callable

JsonObject = dict[str, Any]

# The current time of every request, for dates in `Retry-After`: 1994-11-06T08:49:07Z.
DATE = 784_111_747.0


def classify(vector: JsonObject) -> JsonObject:
    given = vector["failure"]
    now = given.get("now", math.nan)
    idempotent, operation = vector.get("idempotent", False), operation_with([given])
    request = Request(idempotent=idempotent, operation=operation)
    classified = request.classify(facts(failure_of(given), now=now))
    failure, note, info = classified.failure, classified.note, classified.failure.retry
    return {
        "safety": None if info is None else info.safety,
        "throttle": info is not None and info.throttle,
        "timeout": info is not None and info.timeout,
        "retryAfter": None if info is None else info.retry_after,
        "fault": failure.fault,
        "note": None if note is None else dict(zip(("code", "message"), note, strict=True)),
    }


def strategy_of(given: JsonObject, quotas: dict[str, RetryQuota] | None = None) -> StandardRetryStrategy:
    options: Any = {snake_case(name): resolve(value) for name, value in given.items() if name != "quota"}
    if "quota" in given:
        options["quota"] = (quotas or {})[given["quota"]]
    return StandardRetryStrategy(**options)


def available(strategy: StandardRetryStrategy | ScriptedStrategy) -> int | None:
    quota = getattr(strategy, "quota", None)
    return None if quota is None else quota.available


class ScriptedToken(NamedTuple):
    number: int
    delay: float


class ScriptedStrategy:
    """A custom strategy, which issues the tokens of a script and records its calls."""

    def __init__(self, tokens: list[JsonObject]) -> None:
        self.calls: list[JsonObject] = []
        self._tokens = enumerate(tokens)

    def acquire_initial_token(self) -> ScriptedToken:
        self._record("acquire", None)
        return self._issue()

    def refresh_retry_token(self, token: ScriptedToken, _failure: FailureInfo) -> ScriptedToken:
        self._record("refresh", token)
        return self._issue()

    def record_success(self, token: ScriptedToken) -> None:
        self._record("record", token)

    def release_token(self, token: ScriptedToken) -> None:
        self._record("release", token)

    def _record(self, call: str, token: ScriptedToken | None) -> None:
        self.calls.append({"call": call, "token": None if token is None else token.number})

    def _issue(self) -> ScriptedToken:
        number, entry = next(self._tokens)
        if "refused" in entry:
            raise RetryRefusal(entry["refused"]["message"], entry["refused"]["code"])
        return ScriptedToken(number, entry["delay"])


def strategy_in(vector: JsonObject) -> StandardRetryStrategy | ScriptedStrategy:
    return ScriptedStrategy(vector["tokens"]) if "tokens" in vector else strategy_of(vector["retry"])


def commands(vector: JsonObject) -> Any:
    """Execute the commands of a vector with the strategies and tokens that it names."""
    try:
        quotas = {name: RetryQuota(**resolve(quota)) for name, quota in vector.get("quotas", {}).items()}
        strategies = {name: strategy_of(given, quotas) for name, given in vector["strategies"].items()}
    except OptionsError as error:
        return results.refusal(error)
    tokens: dict[str, Any] = {}
    taken = []
    for command in vector["commands"]:
        strategy = strategies[command["by"]]
        taken.append({**take(strategy, tokens, command), "available": available(strategy)})
    return taken


def take(strategy: StandardRetryStrategy, tokens: dict[str, Any], command: JsonObject) -> JsonObject:
    try:
        if "success" in command:
            strategy.record_success(tokens[command["success"]])
            return {}
        if "acquire" in command:
            token, name = strategy.acquire_initial_token(), command["acquire"]
        else:
            name = command.get("as", command["refresh"])
            token = strategy.refresh_retry_token(tokens[command["refresh"]], info(resolve(command["failure"])))
    except RetryRefusal as refusal:
        return {"refused": {"code": refusal.code, "message": refusal.message}}
    except OptionsError as error:
        return results.refusal(error)
    except TokenError as error:
        return {"error": {"class": type(error).__name__, "code": error.code, "message": error.message}}
    tokens[name] = token
    return {"delayMs": results.millis(token.delay), "retries": token.retries}


def info(given: JsonObject) -> FailureInfo:
    retryable = None
    if given.get("safety") is not None:
        retryable = RetryInfo(
            given["safety"],
            throttle=given.get("throttle", False),
            timeout=given.get("timeout", False),
            retry_after=given.get("retryAfter"),
        )
    return FailureInfo(retry=retryable, fault=given.get("fault"))


class RequestService(Service):
    """A scripted service that also records the failures."""

    def __init__(self, vector: JsonObject, now_ms: Callable[[], int]) -> None:
        super().__init__(vector["script"], now_ms)
        self.strategy = strategy_in(vector)
        self.failures: list[JsonObject] = []
        self.last: Exception | None = None
        self.reason: str | None = None

    def answer(self, entry: JsonObject) -> Any:
        self.last = None
        try:
            return super().answer(entry)
        except Exception as error:
            self.last = error
            raise

    def note(self, progress: RetryProgress) -> None:
        delay = None if progress.delay is None else results.millis(progress.delay)
        note = None if progress.note is None else progress.note.code
        self.failures.append(
            {
                "attempt": progress.attempt,
                "error": message_of(progress.error),
                "delayMs": delay,
                "end": progress.end,
                "reason": progress.reason,
                "note": note,
                "elapsedMs": results.millis(progress.elapsed),
            }
        )
        self.reason = progress.reason

    def ended(self, response: Any) -> JsonObject:
        """Return the end of a request. A policy may accept an error as a success."""
        return {"response": response} if self.last is None else {"error": message_of(self.last)}

    def failed(self, error: Exception) -> JsonObject:
        told = {"error": message_of(error), "response": None, "message": self.reason, "attempts": len(self.calls)}
        code = self.failures[-1]["end"] if self.failures else None
        if isinstance(error, RetryError):
            assert isinstance(error, TimeoutError) == (error.code == "out_of_time")
            assert error.__cause__ is error.error
            told = {"error": message_of(error.error), "response": error.response, "message": error.message}
            told["attempts"], code = error.attempts, error.code
        return {"failed": {**told, "code": code}}

    def seen(self) -> JsonObject:
        noted = {**super().seen(), "failures": self.failures, "available": available(self.strategy)}
        return {**noted, "strategy": self.strategy.calls} if isinstance(self.strategy, ScriptedStrategy) else noted


def request(vector: JsonObject, file: JsonObject) -> JsonObject:
    """Run the request with each async library and, if no call is interrupted, also blocking. The results are equal."""
    result = asynchronous(vector, lambda now_ms: _asynchronous(RequestService(vector, now_ms), _options(vector, file)))
    hangs = any("hangs" in entry for entry in vector["script"])
    if not hangs and result.get("failed", {}).get("code") != "out_of_time":
        other = blocking(vector, lambda now_ms: _blocking(RequestService(vector, now_ms), _options(vector, file)))
        assert results.text(other) == results.text(result)
    return result


def _options(vector: JsonObject, file: JsonObject) -> Any:
    policy = waiter_of(vector, file) if "definition" in vector else None
    failures = [entry["failure"] for entry in vector["script"] if "failure" in entry]
    return {
        "idempotent": vector.get("idempotent"),
        "operation": operation_of(vector, file) if "operation" in vector else operation_with(failures),
        "max_time": vector.get("maxTime"),
        "policy": policy,
        "input": resolve(vector.get("input")),
        "date": lambda: DATE,
    }


def _asynchronous(service: RequestService, options: Any) -> Any:
    async def send(call: Any, **host: Any) -> JsonObject:
        try:
            ended = await retry_async(call, strategy=service.strategy, on_failure=service.note, **host, **options)
        except Exception as error:  # noqa: BLE001 - including errors of the call.
            return service.failed(error)
        return service.ended(ended)

    return service, send


def _blocking(service: RequestService, options: Any) -> Any:
    def send(call: Any, **host: Any) -> JsonObject:
        try:
            ended = retry(call, strategy=service.strategy, on_failure=service.note, **host, **options)
        except Exception as error:  # noqa: BLE001 - including errors of the call.
            return service.failed(error)
        return service.ended(ended)

    return service, send
