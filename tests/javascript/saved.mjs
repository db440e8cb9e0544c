/** Waits that are saved and resumed. */

import assert from "node:assert/strict";
import { StateError } from "smithy-waiters";

import { resolve } from "./given.mjs";
import * as results from "./results.mjs";
import { start, take, waiterOf } from "./waiters.mjs";

/** Takes the steps, saves the wait, changes its text, resumes it, and takes the steps that follow. */
export function resume(vector, file) {
  const waiter = waiterOf(vector, file);
  const wait = start(waiter, vector);
  for (const command of vector.commands) take(wait, command);
  const resumer = "resumeBy" in vector ? waiterOf(vector, file, "resumeBy") : waiter;
  const text = changed(JSON.stringify(wait), vector.change ?? {});
  try {
    const resumed = resumer.resume(text, { input: resolve(vector.input), elapsedMs: resolve(vector.resumeAt) });
    return { steps: vector.then.map((command) => resultOf(resumed, command)) };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

/**
 * The steps of a wait that is saved and resumed before every command.
 *
 * One that is saved in flight hands out its attempt again; it is asked for it, so that what follows is what it was.
 */
export function atEveryCommand(waiter, vector) {
  let wait = start(waiter, vector);
  let inFlight;
  return vector.commands.map((command) => {
    wait = again(waiter, wait, vector, inFlight);
    const step = resultOf(wait, command);
    if (!("error" in step)) inFlight = step.type === "call" ? [step, command.next] : undefined;
    return step;
  });
}

function again(waiter, wait, vector, inFlight) {
  // The parsed object is taken as well as the text.
  const resumed = waiter.resume(wait.toJSON(), { input: resolve(vector.input), elapsedMs: 0 });
  if (inFlight !== undefined) {
    const [step, elapsed] = inFlight;
    assert.deepStrictEqual(results.step(resumed.next(elapsed)), step);
  }
  return resumed;
}

/** What a command gives: a step, or why it is refused. */
export function resultOf(wait, command) {
  try {
    return results.step(take(wait, command));
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

function changed(saved, { cut, replace, version, indent, text }) {
  if (cut !== undefined) return saved.slice(0, -cut);
  if (replace !== undefined) return saved.replace(...replace);
  if (version !== undefined) return JSON.stringify({ ...JSON.parse(saved), version });
  if (indent !== undefined) return JSON.stringify(JSON.parse(saved), null, 2);
  return text === undefined ? saved : resolve(text);
}
