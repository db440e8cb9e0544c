"""Run each kind of vector."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import driving
import fleets
import machines
import operations
import results
import retrying
import saved
import service
import several
import stored
import stored_fleet
from service import Service
from values import error_of, resolve
from waiters import host_options, input_of, snake_case, start, waiter_of

from smithy_waiters import (
    Call,
    DefinitionError,
    ExpressionError,
    OptionsError,
    Sleep,
    Waiter,
    WaiterError,
    delay,
    search,
)
from smithy_waiters.events import Response

if TYPE_CHECKING:
    from collections.abc import Callable

JsonObject = dict[str, Any]


def run(vector: JsonObject, file: JsonObject) -> Any:
    """Return the package's result for a vector of a file."""
    kind = vector["kind"]
    if kind == "model":
        return model(vector, file)
    of_no_waiter: dict[str, Callable[[JsonObject], Any]] = {
        "classify": retrying.classify,
        "definition": definition,
        "delay": delay_of,
        "delays": delays,
        "poll-records": stored.poll_records,
        "preset": preset,
        "request-steps": machines.request_steps,
        "retry": retrying.commands,
        "search": search_in,
        "until": until,
        "walk": machines.walk,
    }
    if kind in of_no_waiter:
        return of_no_waiter[kind](vector)
    of_file: dict[str, Callable[[JsonObject, JsonObject], Any]] = {
        "compress": operations.compress,
        "fleet": fleets.fleet,
        "operation": operations.operation,
        "page-size": operations.page_size,
        "paginate": operations.paginate,
        "request": retrying.request,
        "several": several.several,
        "stored-fleet": stored_fleet.stored_fleet,
    }
    if kind in of_file:
        return of_file[kind](vector, file)
    if kind == "defaults":
        return defaults(vector, file)
    waiter = waiter_of({"definition": "Any", **vector}, file)
    if kind == "resume":
        return saved.resume(waiter, vector, file)
    of_waiter: dict[str, Callable[[Waiter, JsonObject], Any]] = {
        "callbacks": driving.callbacks,
        "evaluate": evaluate,
        "extend": extend,
        "fleet-waits": several.fleet_waits,
        "host-arguments": stored.host_arguments,
        "host-options": stored.host_options_of,
        "json": json_of,
        "options": options_of,
        "sleeps": driving.sleeps,
        "steps": steps,
        "stored": stored.stored,
        "wait": wait,
    }
    return of_waiter[kind](waiter, vector)


def definition(vector: JsonObject) -> JsonObject:
    given = resolve(vector["definitionText"] if "definitionText" in vector else vector["definition"])
    try:
        waiter = Waiter(given, name=vector.get("name"))
    except DefinitionError as error:
        return results.refusal(error)
    return described(waiter)


def preset(vector: JsonObject) -> JsonObject:
    try:
        waiter = Waiter.preset(vector["preset"])
    except DefinitionError as error:
        return results.refusal(error)
    return {"states": [waiter.evaluate(response=response).state for response in vector["responses"]]}


def until(vector: JsonObject) -> JsonObject:
    short_form = {snake_case(name): value for name, value in vector["until"].items()}
    # In a vector, a missing expression represents a predicate function.
    expression: Any = short_form.pop("expression", lambda _: True)
    result = with_definition(lambda: Waiter.until(expression, **short_form))
    if "definition" in result and "responses" in vector:
        waiter, again = Waiter.until(expression, **short_form), Waiter(result["definition"])
        verdicts = result["verdicts"] = []
        for response in vector["responses"]:
            verdict = waiter.evaluate(response=response)
            # The definition alone decides as the goals do.
            assert again.evaluate(response=response).state == verdict.state, response
            verdicts.append({"state": verdict.state, "reasons": [reason.text for reason in verdict.reasons]})
    return result


def defaults(vector: JsonObject, file: JsonObject) -> JsonObject:
    if "definition" in vector:
        waiter = waiter_of(vector, file)
    else:
        short_form = {snake_case(name): value for name, value in vector["until"].items()}
        expression: Any = short_form.pop("expression", lambda _: True)
        waiter = Waiter.until(expression, **short_form)
    if "extension" in vector:
        waiter = waiter.extend(**vector["extension"])
    return {"defaults": {results.camel_case(name): value for name, value in waiter.defaults.items()}}


def extend(waiter: Waiter, vector: JsonObject) -> JsonObject:
    return with_definition(lambda: waiter.extend(**vector["extension"]))


def with_definition(make: Callable[[], Waiter]) -> JsonObject:
    """Return the definition, from which an equal waiter can be created."""
    try:
        waiter = make()
    except DefinitionError as error:
        return results.refusal(error)
    assert Waiter(waiter.definition, waiter.name).definition == waiter.definition
    return {"definition": waiter.definition}


def model(vector: JsonObject, file: JsonObject) -> JsonObject:
    given = resolve(vector["modelText"]) if "modelText" in vector else vector["model"]
    if isinstance(given, str) and "model" in vector:
        given = file["models"][given]
    try:
        return described(Waiter.from_model(given, vector["waiterName"], service=vector.get("service")))
    except DefinitionError as error:
        return results.refusal(error)


def described(waiter: Waiter) -> JsonObject:
    return {
        "valid": {
            "name": waiter.name,
            "documentation": waiter.documentation,
            "deprecated": waiter.deprecated,
            "tags": list(waiter.tags),
            "redact": list(waiter.redact),
            "minDelayMs": results.millis(waiter.min_delay),
            "maxDelayMs": results.millis(waiter.max_delay),
            "acceptors": list(waiter.acceptors),
        },
    }


def evaluate(waiter: Waiter, vector: JsonObject) -> JsonObject:
    seen = {"error": error_of(vector["error"])} if "error" in vector else {"response": resolve(vector["response"])}
    verdict = waiter.evaluate(**seen, input=input_of(vector))
    return {"state": verdict.state, "acceptor": verdict.acceptor, "reasons": results.reasons(verdict.reasons)}


def delay_of(vector: JsonObject) -> JsonObject | None:
    names = ("attempt", "remaining", "minDelay", "maxDelay", "random")
    try:
        following = delay(**{snake_case(name): resolve(vector[name]) for name in names})
    except OptionsError as error:
        return results.refusal(error)
    return None if following is None else {"delay": following.delay, "last": following.last}


def delays(vector: JsonObject) -> list[JsonObject | None]:
    """Return the delays between calls that take no time, one for each random number."""
    remaining, made = vector["maxWait"], []
    for attempt, random in enumerate(vector["randoms"], 1):
        following = delay_of({**vector, "attempt": attempt, "remaining": remaining, "random": random})
        remaining -= following["delay"] if following is not None else 0
        made.append(following)
    return made


def search_in(vector: JsonObject) -> JsonObject:
    try:
        return {"result": search(resolve(vector["expression"]), resolve(vector["value"]))}
    except ExpressionError as error:
        return results.refusal(error)


def options_of(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Return the steps up to the first response, which no acceptor matches."""
    try:
        wait = start(waiter, vector)
    except OptionsError as error:
        return results.refusal(error)
    now = 0
    taken = [step := wait.poll(now)]
    while isinstance(step, Sleep):
        now = step.until_ms
        taken.append(step := wait.poll(now))
    # A second poll does not fit into a millisecond.
    if isinstance(step, Call) and (step.deadline_ms is None or step.deadline_ms > now + 1):
        taken.append(wait.handle(Response(None), now))
    return {"steps": [results.step(step) for step in taken]}


def steps(waiter: Waiter, vector: JsonObject) -> list[JsonObject]:
    """Return the steps of a wait. Check that they are equal, except for the history, if it is resumed before each."""
    wait, taken, summaries, logs = start(waiter, vector), [], [], []
    for command in vector["commands"]:
        taken.append(saved.result_of(wait, command))
        summaries.append({"summary": wait.summary})
        logs.append({"level": wait.level, "hints": [results.hint(hint) for hint in wait.hints]})
    resumed = saved.at_every_command(waiter, vector)
    assert results.without_history(resumed) == results.without_history(taken)
    saved.cancel_at_every_command(waiter, vector)
    if "logs" in vector:
        taken = [step | log for step, log in zip(taken, logs, strict=True)]
    if "summaries" not in vector:
        return taken
    return [step | summary for step, summary in zip(taken, summaries, strict=True)]


def wait(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Run the wait with each async library and, if no call is interrupted, also blocking. The results are equal."""
    options: Any = {"input": input_of(vector), **host_options(vector)}

    def failure(error: WaiterError) -> JsonObject:
        return results.failure(error, explained="explain" in vector)

    async def wait_async(call: Any, **host: Any) -> JsonObject:
        try:
            return results.outcome(await waiter.wait_async(call, **host, **options))
        except WaiterError as error:
            return failure(error)

    def wait_blocking(call: Any, **host: Any) -> JsonObject:
        try:
            return results.outcome(waiter.wait(call, **host, **options))
        except WaiterError as error:
            return failure(error)

    result = service.asynchronous(vector, lambda now_ms: (Service(vector["script"], now_ms), wait_async))
    if not is_cut(vector):
        other = service.blocking(vector, lambda now_ms: (Service(vector["script"], now_ms), wait_blocking))
        assert results.text(other) == results.text(result)
    return result


def json_of(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Return the JSON text of the end of a wait."""

    async def wait(call: Any, **host: Any) -> JsonObject:
        ended: Any
        try:
            ended = await waiter.wait_async(call, input=input_of(vector), **host, **host_options(vector))
        except WaiterError as error:
            ended = error
        return {"text": ended.to_json()}

    result = service.asynchronous(vector, lambda now_ms: (Service(vector["script"], now_ms), wait))
    return {"text": result["text"]}


def is_cut(vector: JsonObject) -> bool:
    """Return whether a call of the vector is cancelled at its deadline or by the caller."""
    cancelled, script = vector.get("cancelAt", math.inf), vector["script"]
    for call in vector["expected"]["calls"]:
        starts, remaining = call["atMs"], call["remainingMs"]
        entry = script[min(call["attempt"], len(script)) - 1]
        ends = starts + entry.get("takes", math.inf)
        if ends > (math.inf if remaining is None else starts + remaining) or starts <= cancelled < ends:
            return True
    return False
