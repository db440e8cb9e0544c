/** The waiters that vectors give, and what they give them. */

import { Waiter } from "smithy-waiters";

import { errorOf, resolve } from "./given.mjs";

/** The waiter of a definition, or of the name of one in the file. */
export function waiterOf(vector, file, member = "definition") {
  const given = vector[member];
  const options = waiterOptions(vector);
  if (typeof given !== "string") return new Waiter(resolve(given), options);
  return new Waiter(resolve(file.definitions[given]), { ...options, name: given });
}

function waiterOptions({ errorNames, serviceErrorsOnly }) {
  return {
    ...(errorNames !== undefined && { errorNames: () => errorNames }),
    ...(serviceErrorsOnly !== undefined && { serviceErrorsOnly }),
  };
}

export function start(waiter, vector) {
  const input = resolve(vector.input);
  // A deadline is relative to the start: the engine's option, not the package's.
  if ("deadline" in vector.options) return waiter.startWith(resolve(vector.options), input);
  return waiter.start({ ...hostOptions(vector), input });
}

export function hostOptions(vector) {
  const { maxWait, ...others } = resolve(vector.options);
  return { maxWaitTime: maxWait, ...others };
}

/** Takes the step of a command. */
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

/** The classification of a command; without one the package classifies the error. */
function transientOf({ transient }) {
  if (transient === undefined) return undefined;
  return transient === null ? false : { notBeforeMs: transient.notBefore, answered: transient.answered };
}
