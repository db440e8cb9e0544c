/** Runs the engine's state machine of a fleet step by step. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OptionsError, StateError } from "smithy-waiters";

import { errorOf, resolve } from "./values.mjs";
import * as results from "./results.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
const { CALL, callEngine, EngineRateLimit, EngineWaiter, inSlots, Naming, pushSlot, SLEEP, transientOf } = await import(
  pathToFileURL(join(folder, "dist/inner.js")).href
);

const NAMING = new Naming({});

/** Returns the result of each command. */
export function fleet(vector, { definitions }) {
  try {
    const machine = machineOf(vector, definitions[vector.definition]);
    return vector.commands.map((command) => result(machine, command));
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

function machineOf({ definition: name, fleet: members, rate = 5 }, definition) {
  const waiter = callEngine(() => new EngineWaiter(JSON.stringify(definition), name));
  const limit = inSlots((options) => new EngineRateLimit(options), { rate });
  return inSlots((slot) => waiter.fleet(slot, limit), resolve(members));
}

function result(machine, command) {
  try {
    return take(machine, command);
  } catch (error) {
    return results.refusal(error, error instanceof OptionsError ? OptionsError : StateError);
  }
}

function take(machine, command) {
  const { at, join: ids, options, leave, respond, pages, poll, fail, error, abandon } = command;
  if (ids !== undefined) return { tickets: [...inSlots((names, start) => machine.join(names, start, at), { ids }, resolve(options))] };
  if (leave !== undefined) {
    const report = callEngine(() => machine.leave(leave, at));
    return { ended: report === undefined ? [] : [ended(leave, report)] };
  }
  if (poll) {
    const step = stepOf(machine, callEngine(() => machine.poll(at)));
    return { ended: ends(machine, at), step };
  }
  if (respond !== undefined) {
    callEngine(() => {
      const slots = pages.map((page) => pushSlot(resolve(page)));
      machine.respond(respond, slots[0] ?? 0, slots.length, at);
    });
  } else if (fail !== undefined) failed(machine, fail, errorOf(error), at);
  else callEngine(() => machine.abandon(abandon, at));
  return { ended: ends(machine, at) };
}

function failed(machine, call, error, at) {
  const metadata = NAMING.ofException(error);
  const { by, name, message } = metadata;
  const transient = transientOf(undefined, error, metadata, at);
  callEngine(() => machine.fail(call, by, name, message, transient, at));
}

function stepOf(machine, step) {
  const { call, ids, deadlineMs, untilMs } = machine;
  if (step === CALL) return { type: "call", call, ids, deadlineMs: results.finite(deadlineMs) };
  return step === SLEEP ? { type: "sleep", untilMs } : { type: "idle" };
}

/** Returns the ends of waits that the machine has not told before. */
function ends(machine, at) {
  const parts = callEngine(() => machine.ends(at));
  return Array.from({ length: parts.length / 3 }, (_, index) => ended(...parts.slice(index * 3, index * 3 + 3)));
}

function ended(ticket, report, item) {
  const { code, attempts, elapsed, message } = JSON.parse(report);
  return { ticket, code, attempts, elapsedMs: results.millis(elapsed), message, item: item === undefined ? null : results.exact(item) };
}
