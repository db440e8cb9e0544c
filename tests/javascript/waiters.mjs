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
  return waiter.start({ ...hostOptions(vector), input: resolve(vector.input) });
}

export function hostOptions(vector) {
  const { maxWait, ...others } = resolve(vector.options);
  return { maxWaitTime: maxWait, ...others };
}

/** Takes the step that a command stands for. */
export function take(wait, command) {
  const { next, expire, cancel, observe, response } = resolve(command);
  if ("next" in command) return wait.next(next);
  if ("expire" in command) return wait.expire(expire);
  if ("cancel" in command) return wait.cancel(cancel);
  const error = command.error && errorOf(command.error);
  if ("verdict" in command) {
    const { state, acceptor } = command.verdict;
    return wait.observeVerdict(state, acceptor ?? undefined, error, observe);
  }
  return "error" in command ? wait.observeError(error, observe) : wait.observeResponse(response, observe);
}
