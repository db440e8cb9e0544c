/** Runs the engine's state machine of a fleet step by step. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OptionsError, StateError } from "smithy-waiters";

import { changed } from "./saved.mjs";
import { errorOf, resolve } from "./values.mjs";
import * as results from "./results.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
const { CALL, callEngine, EngineRateLimit, EngineWaiter, inSlots, Naming, pushSlot, SLEEP, factsOf } = await import(
  pathToFileURL(join(folder, "dist/inner.js")).href
);

const NAMING = new Naming({});

/**
 * Returns the result of each command. Checks that they are equal, except for the history, if the lists of the fleet are saved and
 * resumed before each command.
 */
export function fleet(vector, file) {
  try {
    const run = new Run(vector, file);
    const taken = vector.commands.map((command) => run.result(command));
    const saved = new Run(vector, file);
    const resumed = vector.commands.map((command) => {
      saved.saveAndResume();
      return saved.result(command);
    });
    assert.deepStrictEqual(withoutHistory(resumed), withoutHistory(taken), `${vector.id}: resumed and not`);
    return taken;
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

/** A fleet whose lists can be saved and resumed. Results have the tickets of the fleet without that. */
class Run {
  constructor(vector, file) {
    this.vector = vector;
    this.file = file;
    this.open({});
  }

  /** Begins with an empty fleet. */
  open({ definition = this.vector.definition, fleet: members = this.vector.fleet }) {
    const waiter = callEngine(() => new EngineWaiter(JSON.stringify(this.file.definitions[definition]), definition));
    const limit = inSlots((options) => new EngineRateLimit(options), { rate: this.vector.rate });
    this.machine = inSlots((slot) => waiter.fleet(slot, limit), resolve(members));
    this.lists = [];
    /** The tickets of the fleet. */
    this.tickets = [];
    /** The tickets whose ends were returned. */
    this.ended = new Set();
  }

  result(command) {
    try {
      return this.take(command);
    } catch (error) {
      return results.refusal(error, error instanceof OptionsError ? OptionsError : StateError);
    }
  }

  take(command) {
    const { machine } = this;
    const { at, join: ids, options, leave, respond, pages, poll, fail, error, abandon } = command;
    if (ids !== undefined) return { tickets: this.add(pairs(inSlots((names, start) => machine.join(names, start, at), { ids }, resolve(options)))) };
    if ("resume" in command) return { resumed: this.resume(command) };
    if (leave !== undefined) {
      const report = callEngine(() => machine.leave(this.tickets[leave], at));
      return { ended: report === undefined ? [] : this.end(this.tickets[leave], report) };
    }
    if (poll) {
      const step = stepOf(machine, callEngine(() => machine.poll(at)));
      return { ended: this.ends(at), step };
    }
    if (respond !== undefined) {
      callEngine(() => {
        const slots = pages.map((page) => pushSlot(resolve(page)));
        machine.respond(respond, slots[0] ?? 0, slots.length, at);
      });
    } else if (fail !== undefined) failed(machine, fail, errorOf(error), at);
    else callEngine(() => machine.abandon(abandon, at));
    return { ended: this.ends(at) };
  }

  /** Adds a list with the tickets of the fleet, and returns its own ones. */
  add(pairs) {
    const list = pairs.map(([ticket]) => this.tickets.push(ticket) - 1);
    this.lists.push(list);
    return list;
  }

  /** Returns the ends of waits that the machine has not told before. */
  ends(at) {
    const parts = callEngine(() => this.machine.ends(at));
    return Array.from({ length: parts.length / 4 }, (_, index) => this.end(...parts.slice(index * 4, index * 4 + 3))).flat();
  }

  /** Returns an end, unless it was returned before the wait was resumed. */
  end(ofFleet, report, item) {
    const ticket = this.tickets.indexOf(ofFleet);
    if (this.ended.has(ticket)) return [];
    this.ended.add(ticket);
    const { code, attempts, elapsed, message } = JSON.parse(report);
    return [{ ticket, code, attempts, elapsedMs: results.millis(elapsed), message, item: item === undefined ? null : results.exact(item) }];
  }

  /** Saves the list of a ticket, and resumes it in another fleet, which takes the place of this one. */
  resume({ resume, at, elapsedMs, wallClock = [Number.NaN, Number.NaN], change = {}, ...other }) {
    const saved = callEngine(() => this.machine.snapshot(this.tickets[resume], wallClock[0]));
    if (saved === undefined) return null;
    const before = { ...this };
    this.open(other);
    try {
      const parts = callEngine(() => this.machine.resume(changed(saved, change), elapsedMs, wallClock[1], at));
      const resumed = pairs(parts);
      this.add(resumed);
      return resumed;
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  /** Saves and resumes each list, unless one of their waits has a call in flight. */
  saveAndResume() {
    const text = ([first]) => (first === undefined ? undefined : callEngine(() => this.machine.snapshot(this.tickets[first], Number.NaN)));
    const saved = this.lists.map((list) => [list, text(list)]).filter(([, state]) => state !== undefined);
    if (saved.some(([, state]) => isInFlight(state))) return;
    for (const [list, state] of saved) {
      for (const ticket of list) callEngine(() => this.machine.leave(this.tickets[ticket], 0));
      const resumed = pairs(callEngine(() => this.machine.resume(state, undefined, Number.NaN, 0)));
      for (const [index, [ticket]] of resumed.entries()) this.tickets[list[index]] = ticket;
    }
  }
}

function pairs(parts) {
  return Array.from({ length: parts.length / 2 }, (_, index) => parts.slice(index * 2, index * 2 + 2));
}

/** Returns `true` if a saved wait has a call in flight: the first of its flags. */
function isInFlight(state) {
  return JSON.parse(state).waits.some(([, , flags = 0]) => flags % 2 === 1);
}

/** Removes the messages, which quote earlier answers. */
function withoutHistory(taken) {
  return taken.map((result) => ("ended" in result ? { ...result, ended: result.ended.map((end) => ({ ...end, message: null })) } : result));
}

function failed(machine, call, error, at) {
  const metadata = NAMING.ofException(error);
  const { by, name, message } = metadata;
  const facts = factsOf(undefined, error, metadata, at);
  callEngine(() => machine.fail(call, by, name, message, ...facts, at));
}

function stepOf(machine, step) {
  const { call, ids, deadlineMs, untilMs } = machine;
  if (step === CALL) return { type: "call", call, ids, deadlineMs: results.finite(deadlineMs) };
  return step === SLEEP ? { type: "sleep", untilMs } : { type: "idle" };
}
