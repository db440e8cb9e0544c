/** Creates the waiters of vectors and passes events to them. */

import { Waiter } from "smithy-waiters";

import { errorOf, resolve } from "./values.mjs";

/** Creates the waiter for a definition, or for the name of a definition in the file. */
export function waiterOf(vector, file, member = "definition") {
  const given = vector[member];
  const options = waiterOptions(vector);
  if (given.preset !== undefined) return Waiter.preset(given.preset, options);
  if (typeof given !== "string") return new Waiter(resolve(given), options);
  return new Waiter(resolve(file.definitions[given]), { ...options, name: given });
}

function waiterOptions({ defaults, errorNames, serviceErrorsOnly }) {
  return {
    ...(defaults !== undefined && { defaults }),
    ...(errorNames !== undefined && { errorNames: () => errorNames }),
    ...(serviceErrorsOnly !== undefined && { serviceErrorsOnly }),
  };
}

export function start(waiter, vector) {
  const input = resolve(vector.input);
  // In vectors, a deadline is relative to the start, as in the engine and unlike in the package.
  if ("deadline" in vector.options) return waiter.startWith(resolve(vector.options), input);
  return waiter.start({ ...hostOptions(vector), input });
}

export function hostOptions(vector) {
  const { maxWait, ...others } = resolve(vector.options);
  return { maxWaitTime: maxWait, ...others };
}

/** Executes a command and returns the step. */
export function take(wait, command) {
  const { poll, handle } = resolve(command);
  return "poll" in command ? wait.poll(poll) : wait.handle(eventOf(command), handle);
}

function eventOf(command) {
  if ("deadlineReached" in command) return { type: "deadlineReached" };
  if ("cancelled" in command) return { type: "cancelled" };
  const { response, notBefore: notBeforeMs } = resolve(command);
  const error = command.error && errorOf(command.error);
  const transient = transientOf(command);
  if ("verdict" in command) return { type: "verdict", acceptor: command.verdict.acceptor, error, transient };
  return "error" in command ? { type: "error", error, transient } : { type: "response", response, notBeforeMs };
}

/** Returns the classification in a command. Without one, the package classifies the error. */
function transientOf({ transient }) {
  if (transient === undefined) return undefined;
  return transient === null ? false : { notBeforeMs: transient.notBefore, answered: transient.answered };
}
