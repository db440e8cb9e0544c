"""Run several waits, and the callers of a fleet, on asyncio's virtual time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import results
from failures import raised_by
from libraries import LIBRARIES
from values import resolve
from waiters import host_options, waiter_of

from smithy_waiters import RateLimit, WaiterError, WaitersFailed, wait_all_async, wait_any_async

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from smithy_waiters import Attempt, Fleet, Waiter

JsonObject = dict[str, Any]

ASYNCIO = LIBRARIES[0]


def several(vector: JsonObject, file: JsonObject) -> JsonObject:
    """Run `wait_all_async` or `wait_any_async`."""
    limit = RateLimit(vector["rate"]) if "rate" in vector else None
    calls: list[JsonObject] = []

    async def main() -> JsonObject:
        waits = {part["name"]: _wait(part, file, limit, calls) for part in vector["waits"]}
        wait: Any = wait_all_async if vector["goal"] == "all" else wait_any_async
        cancel = _cancelled_at(vector.get("cancelAt"))
        return {**await _ends(wait(waits, max_wait=vector["maxWait"], cancel=cancel)), "calls": _sorted(calls, "wait")}

    result: JsonObject = ASYNCIO.run(main)
    return result


def _wait(part: JsonObject, file: JsonObject, limit: RateLimit | None, calls: list[JsonObject]) -> Callable[..., Any]:
    async def call(attempt: Attempt) -> Any:
        calls.append({"atMs": _now_ms(), "wait": part["name"]})
        entry = part["script"][min(attempt.number, len(part["script"])) - 1]
        await (asyncio.Event().wait() if "hangs" in entry else asyncio.sleep(entry["takes"] / 1000))
        error = raised_by(entry)
        if error is not None:
            raise error
        return resolve(entry["response"])

    waiter = waiter_of(part, file)
    return lambda **shared: waiter.wait_async(call, seed=1, rate_limit=limit, **shared)


def fleet_waits(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Run a fleet and its callers."""
    calls: list[JsonObject] = []

    async def call(ids: list[str]) -> JsonObject:
        calls.append({"atMs": _now_ms(), "ids": ids})
        await asyncio.sleep(vector["takes"] / 1000)
        return {"Volumes": list(_volumes(vector["states"], ids, _now_ms()))}

    async def main() -> JsonObject:
        fleet = waiter.fleet(call, rate=vector.get("rate", 5), **vector["fleet"])
        ends = await asyncio.gather(*(_caller(fleet, caller) for caller in vector["callers"]))
        return {"calls": _sorted(calls, "ids"), "ends": ends}

    result: JsonObject = ASYNCIO.run(main)
    return result


async def _caller(fleet: Fleet[Any], caller: JsonObject) -> JsonObject:
    await asyncio.sleep(caller["at"] / 1000)
    options = {**host_options(caller), "cancel": _cancelled_at(caller.get("cancelAt"))}
    if "wait" in caller:
        end = await _only(caller["wait"], fleet.wait_async(caller["wait"], **options))
    else:
        whole = {"quorum": caller.get("quorum"), "fail_fast": caller.get("failFast", False)}
        end = await _ends(fleet.wait_each_async(caller["waitEach"], **whole, **options))
    return {**end, "atMs": _now_ms()}


async def _only(name: str, wait: Any) -> JsonObject:
    try:
        return {"outcomes": _shown({name: await wait})}
    except WaiterError as failure:
        return {"failures": _shown({name: failure})}


async def _ends(wait: Any) -> JsonObject:
    try:
        return {"outcomes": _shown(await wait)}
    except WaitersFailed as failed:
        message = results.with_spelling_of_vectors(str(failed))
        return {"failures": _shown(failed.failures), "outcomes": _shown(failed.outcomes), "message": message}


def _shown(ends: Mapping[str, Any]) -> JsonObject:
    shown: JsonObject = {}
    for name, end in ends.items():
        shown[name] = {"attempts": end.attempts, "elapsedMs": results.millis(end.elapsed)}
        if isinstance(end, WaiterError):
            shown[name]["code"] = end.code
    return shown


def _volumes(states: JsonObject, ids: list[str], at: int) -> Any:
    """Return the volumes of an answer with their states at a time. Unknown ones are omitted."""
    for name in ids:
        begun = [state for start, state in states.get(name, []) if start <= at]
        if begun:
            yield {"VolumeId": name, "State": begun[-1]}


def _cancelled_at(at: int | None) -> asyncio.Event | None:
    if at is None:
        return None
    cancel, now = asyncio.Event(), _now_ms()
    if at <= now:
        cancel.set()
    else:
        asyncio.get_running_loop().call_later((at - now) / 1000, cancel.set)
    return cancel


def _sorted(calls: list[JsonObject], member: str) -> list[JsonObject]:
    return sorted(calls, key=lambda call: (call["atMs"], str(call[member])))


def _now_ms() -> int:
    return results.millis(ASYNCIO.now())
