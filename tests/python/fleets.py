"""Run the engine's state machine of a fleet step by step."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import results
from saved import changed, wall_clock
from values import error_of, resolve
from waiters import snake_case, waiter_of

from smithy_waiters import OptionsError, RateLimit, Sleep, StateError
from smithy_waiters._engine import Done, FleetCall
from smithy_waiters.events import Error

if TYPE_CHECKING:
    from collections.abc import Iterable

JsonObject = dict[str, Any]


def fleet(vector: JsonObject, file: JsonObject) -> Any:
    """Return the result of each command.

    Check that they are equal, except for the history, if the lists of the fleet are saved and resumed before each.
    """
    try:
        run, saved = _Run(vector, file), _Run(vector, file)
    except OptionsError as error:
        return results.refusal(error)
    taken = [run.result(command) for command in vector["commands"]]
    resumed = []
    for command in vector["commands"]:
        saved.save_and_resume()
        resumed.append(saved.result(command))
    assert _without_history(resumed) == _without_history(taken)
    return taken


class _Run:
    """A fleet whose lists can be saved and resumed. Results have the tickets of the fleet without that."""

    def __init__(self, vector: JsonObject, file: JsonObject, command: JsonObject | None = None) -> None:
        self.vector, self.file = vector, file
        with_changes = {**vector, **(command or {})}
        waiter = waiter_of(with_changes, file)
        self.machine = waiter._fleet(RateLimit(vector.get("rate", 5)), **with_changes["fleet"])  # noqa: SLF001
        self.lists: list[list[int]] = []
        self.tickets: list[int] = []
        self.ended: set[int] = set()

    def result(self, command: JsonObject) -> JsonObject:
        try:
            return self.take(command)
        except (OptionsError, StateError) as error:
            return results.refusal(error)

    def take(self, command: JsonObject) -> JsonObject:
        at, machine = command["at"], self.machine
        if "join" in command:
            options = {snake_case(name): value for name, value in command["options"].items()}
            return {"tickets": self.add(machine.join({"ids": command["join"]}, at, **options))}
        if "resume" in command:
            return {"resumed": self.resume(command)}
        if "leave" in command:
            done = machine.leave(self.tickets[command["leave"]], at)
            return {"ended": [] if done is None else self.end(self.tickets[command["leave"]], done)}
        if "poll" in command:
            ended, step = machine.poll(at)
            return {"ended": self.ends(ended), "step": _step(step)}
        if "respond" in command:
            return {
                "ended": self.ends(
                    machine.respond(command["respond"], [resolve(page) for page in command["pages"]], at)
                )
            }
        if "fail" in command:
            error: Any = error_of(command["error"])
            machine.fail(command["fail"], Error(error), at)
        else:
            machine.abandon(command["abandon"], at)
        return {"ended": self.ends(machine.ended(at))}

    def add(self, tickets: list[tuple[int, str]]) -> list[int]:
        """Add a list with the tickets of the fleet, and return its own ones."""
        first = len(self.tickets)
        self.tickets.extend(ticket for ticket, _ in tickets)
        self.lists.append(list(range(first, len(self.tickets))))
        return self.lists[-1]

    def ends(self, ends: Iterable[tuple[Any, ...]]) -> list[JsonObject]:
        return [ended for end in ends for ended in self.end(*end)]

    def end(self, of_fleet: int, done: Done, item: Any = None, _missing: str | None = None) -> list[JsonObject]:
        """Return an end, unless it was returned before the wait was resumed."""
        ticket = self.tickets.index(of_fleet)
        if ticket in self.ended:
            return []
        self.ended.add(ticket)
        return [_ended(ticket, done, item)]

    def resume(self, command: JsonObject) -> list[list[Any]] | None:
        """Save the list of a ticket, and resume it in another fleet, which takes the place of this one."""
        saved_at, resumed_at = command.get("wallClock", (None, None))
        with wall_clock(saved_at):
            text = self.machine.to_json(self.tickets[command["resume"]])
        if text is None:
            return None
        other = _Run(self.vector, self.file, command)
        with wall_clock(resumed_at):
            text = changed(text, command.get("change", {}))
            resumed = other.machine.resume(text, command["at"], elapsed_ms=command.get("elapsedMs"))
        other.add(resumed)
        self.__dict__.update(other.__dict__)
        return [list(pair) for pair in resumed]

    def save_and_resume(self) -> None:
        """Save and resume each list, unless one of their waits has a call in flight."""
        with wall_clock(None):
            saved = [(tickets, self.machine.to_json(self.tickets[tickets[0]])) for tickets in self.lists if tickets]
            open_ones = [(tickets, text) for tickets, text in saved if text is not None]
            if any(_is_in_flight(text) for _, text in open_ones):
                return
            for tickets, text in open_ones:
                for ticket in tickets:
                    self.machine.leave(self.tickets[ticket], 0)
                for ticket, (of_fleet, _) in zip(tickets, self.machine.resume(text, 0), strict=True):
                    self.tickets[ticket] = of_fleet


def _is_in_flight(text: str) -> bool:
    """Return `True` if a saved wait has a call in flight: the first of its flags."""
    return any(flags % 2 for numbers in json.loads(text)["waits"] for flags in numbers[2:3])


def _without_history(taken: list[JsonObject]) -> list[JsonObject]:
    """Remove the messages, which quote earlier answers."""
    return [
        {**result, "ended": [{**end, "message": None} for end in result["ended"]]} if "ended" in result else result
        for result in taken
    ]


def _step(step: FleetCall | Sleep | None) -> JsonObject:
    if isinstance(step, FleetCall):
        return {"type": "call", "call": step.call, "ids": step.ids, "deadlineMs": step.deadline_ms}
    return {"type": "idle"} if step is None else {"type": "sleep", "untilMs": step.until_ms}


def _ended(ticket: int, done: Done, item: Any) -> JsonObject:
    return {
        "ticket": ticket,
        "code": done.code,
        "attempts": done.attempts,
        "elapsedMs": done.elapsed_ms,
        "message": results.with_spelling_of_vectors(done.message),
        "item": item,
    }
