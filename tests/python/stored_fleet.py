"""What hosts decide about stored fleets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import results
from saved import changed
from stored import answer_of, at, moment
from values import resolve
from waiters import host_options, snake_case, waiter_of

from smithy_waiters import OptionsError, StateError
from smithy_waiters.durable import StoredFleet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smithy_waiters.durable import Begun

JsonObject = dict[str, Any]


def stored_fleet(vector: JsonObject, file: JsonObject) -> JsonObject:
    """Begin a stored fleet, or continue that of a text, and make its rounds. A round that crashes has no result."""
    try:
        begun = {"state": resolve(vector["state"])} if "state" in vector else begin(vector, file)
    except OptionsError as error:
        return results.refusal(error)
    state, rounds = begun["state"], []
    for number in vector["rounds"]:
        result = made(fleet_of({**vector, **number}, file), changed(state, number.get("change", {})), number)
        state = result.get("state", state)
        rounds.append(result)
    return {"begun": begun, "rounds": rounds}


def fleet_of(vector: JsonObject, file: JsonObject) -> StoredFleet:
    return StoredFleet(waiter_of(vector, file), **vector["fleet"])


def begin(vector: JsonObject, file: JsonObject) -> JsonObject:
    options = host_options(vector)
    options.update({snake_case(name): value for name, value in vector.get("whole", {}).items()})
    if "deadlineAt" in vector:
        options["deadline"] = moment(vector["deadlineAt"])
    arguments, started_at = vector.get("arguments", ""), vector["startedAt"] / 1000
    fleet = fleet_of(vector, file)
    begun: Begun = fleet.begin(vector["waitId"], vector["ids"], options, arguments=arguments, started_at=started_at)
    due_at, ends_at = round(begun.due_at * 1000), round(begun.ends_at * 1000)
    return {"state": begun.state, "dueAt": due_at, "endsAt": ends_at, "identity": begun.identity}


def made(fleet: StoredFleet, state: str, number: JsonObject) -> JsonObject:
    calls: list[list[str]] = []

    def call(ids: list[str]) -> Any:
        answers = number["answers"]
        answer = answers[min(len(calls), len(answers) - 1)]
        calls.append(ids)
        return pages(answer) if "pages" in answer else answer_of(answer)

    with at(number["at"]):
        try:
            if "conclude" in number:
                return {"end": fleet.cancel(state)}
            following, _, end, progress = fleet.attempt(state, call)
        except StateError as error:
            return results.refusal(error)
    if "crash" in number:
        return {"calls": calls}
    if following is None:
        return {"calls": calls, "end": end}
    return {"calls": calls, "state": following, "dueAt": round(fleet.due_at(following) * 1000), "progress": progress}


def pages(answer: JsonObject) -> Iterator[Any]:
    yield from map(resolve, answer["pages"])
    if "error" in answer:
        answer_of(answer)
