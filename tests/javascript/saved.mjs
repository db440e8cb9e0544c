/** Waits that are saved and resumed. */

import assert from "node:assert/strict";
import { StateError } from "smithy-waiters";

import { resolve } from "./values.mjs";
import * as results from "./results.mjs";
import { start, take, waiterOf } from "./waiters.mjs";

/** Executes `commands`, saves the wait, changes its text, resumes it, and executes the commands of `then`. */
export function resume(vector, file) {
  const waiter = waiterOf(vector, file);
  const wait = atWallClock(vector.startedAt, () => start(waiter, vector));
  for (const command of vector.commands) take(wait, command);
  const text = changed(JSON.stringify(wait), vector.change ?? {});
  try {
    const resumed = resumedFrom(text, vector, file);
    return { steps: vector.then.map((command) => resultOf(resumed, command)) };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

function resumedFrom(text, vector, file) {
  const resumer = "resumeBy" in vector ? waiterOf(vector, file, "resumeBy") : waiterOf(vector, file);
  const input = resolve(vector.input);
  const wait = atWallClock(vector.wallClock, () => resumer.resume(text, { input, elapsedMs: resolve(vector.resumeAt) }));
  if (vector.again === undefined) return wait;
  return atWallClock(vector.again, () => resumer.resume(wait.toJSON(), { input }));
}

/** Calls `run` with a wall clock at `ms` milliseconds since 1970, or without a wall clock. */
function atWallClock(ms, run) {
  const { now } = Date;
  Date.now = () => ms ?? Number.NaN;
  try {
    return run();
  } finally {
    Date.now = now;
  }
}

/**
 * Returns the steps of a wait that is saved and resumed before each command.
 *
 * A wait that is saved during a call returns the call again after it is resumed, with the time at which it was saved. It is
 * not saved after another poll during the call.
 */
export function atEveryCommand(waiter, vector) {
  let wait = atWallClock(undefined, () => start(waiter, vector));
  let inFlight;
  let polledAgain = false;
  return vector.commands.map((command) => {
    if (!polledAgain) wait = again(waiter, wait, vector, inFlight);
    const step = resultOf(wait, command);
    if (step.type === "call") {
      polledAgain = inFlight !== undefined;
      inFlight = step;
    } else if (!("error" in step)) {
      polledAgain = false;
      inFlight = undefined;
    }
    return step;
  });
}

function again(waiter, wait, vector, inFlight) {
  // The parsed object is accepted, too.
  const resumed = atWallClock(undefined, () => waiter.resume(wait.toJSON(), { input: resolve(vector.input) }));
  if (inFlight !== undefined) assert.deepStrictEqual(results.step(resumed.poll(resumed.nowMs)), inFlight);
  return resumed;
}

/** Cancels the wait in the place of each command, and checks that it ends at once and stays so. */
export function cancelAtEveryCommand(waiter, vector) {
  for (const count of vector.commands.keys()) {
    const wait = start(waiter, vector);
    const steps = vector.commands.slice(0, count).map((command) => resultOf(wait, command));
    if (!steps.some(({ type }) => type === "done")) {
      const ended = results.step(wait.handle({ type: "cancelled" }, wait.nowMs));
      assert.deepStrictEqual([ended.type, ended.report.code], ["done", "cancelled"]);
      assert.deepStrictEqual(results.step(wait.poll(wait.nowMs)), ended);
    }
    wait.free();
  }
}

/** Returns the steps, with only those members of their reports that do not depend on earlier attempts. */
export function withoutHistory(steps) {
  return steps.map((step) => {
    if (step.type !== "done") return step;
    const { code, attempts, elapsedMs, acceptor } = step.report;
    return { code, attempts, elapsedMs, acceptor };
  });
}

/** Returns the step after a command, or its error. */
export function resultOf(wait, command) {
  try {
    return results.step(take(wait, command));
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

/** Returns the changed text of a saved wait. */
export function changed(saved, { cut, replace, version, indent, text }) {
  if (cut !== undefined) return saved.slice(0, -cut);
  if (replace !== undefined) return saved.replace(...replace);
  if (version !== undefined) return JSON.stringify({ ...JSON.parse(saved), version });
  if (indent !== undefined) return JSON.stringify(JSON.parse(saved), null, 2);
  return text === undefined ? saved : resolve(text);
}
