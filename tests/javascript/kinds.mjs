/** How each kind of vector is run. */

import { DefinitionError, delay as delayOf, OptionsError, StateError, Waiter } from "smithy-waiters";

import { errorOf, resolve } from "./given.mjs";
import * as results from "./results.mjs";
import { Service } from "./service.mjs";
import { CANCEL, VirtualTime } from "./virtual-time.mjs";

const KINDS = { definition, delay, evaluate, options, steps, wait };

/** What the package gives for a vector. */
export function run(vector, definitions) {
  return KINDS[vector.kind](vector, () => waiterOf(vector, definitions));
}

function waiterOf({ definition: given }, definitions) {
  if (typeof given === "string") return new Waiter(resolve(definitions[given]), { name: given });
  return new Waiter(resolve(given));
}

function definition({ definition: given, definitionText, name }) {
  try {
    const waiter = new Waiter(resolve(definitionText === undefined ? given : definitionText), { name });
    return { valid: described(waiter) };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function described(waiter) {
  return {
    name: waiter.name ?? null,
    documentation: waiter.documentation ?? null,
    deprecated: waiter.deprecated,
    tags: [...waiter.tags],
    minDelayMs: results.millis(waiter.minDelay),
    maxDelayMs: results.millis(waiter.maxDelay),
    acceptors: [...waiter.acceptors],
  };
}

function evaluate(vector, waiterOf) {
  const seen = "error" in vector ? { error: errorOf(vector.error) } : { response: resolve(vector.response) };
  const verdict = waiterOf().evaluate(seen, { input: resolve(vector.input) });
  return { state: verdict.state, acceptor: verdict.acceptor ?? null, reasons: results.reasons(verdict.reasons) };
}

function delay(vector) {
  const { attempt, remaining, minDelay, maxDelay, random } = resolve(vector);
  try {
    return delayOf({ attempt, remaining, minDelay, maxDelay, random }) ?? null;
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

/** The steps up to the first response, which no acceptor matches. */
function options(vector, waiterOf) {
  const waiter = waiterOf();
  let wait;
  try {
    wait = waiter.start(hostOptions(vector));
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
  let elapsed = 0;
  let step = wait.next(elapsed);
  const steps = [step];
  while (step.type === "sleep") {
    elapsed += step.delayMs;
    steps.push((step = wait.next(elapsed)));
  }
  if (step.type === "call" && step.remainingMs > 1) steps.push(wait.observeResponse(null, elapsed));
  wait.free();
  return { steps: steps.map(results.step) };
}

function steps(vector, waiterOf) {
  const wait = waiterOf().start({ ...hostOptions(vector), input: resolve(vector.input) });
  const taken = vector.commands.map((command) => resultOf(wait, command));
  wait.free();
  return taken;
}

function resultOf(wait, command) {
  try {
    return results.step(take(wait, command));
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

function take(wait, command) {
  const { next, expire, cancel, observe, response } = resolve(command);
  if ("next" in command) return wait.next(next);
  if ("expire" in command) return wait.expire(expire);
  if ("cancel" in command) return wait.cancel(cancel);
  if ("error" in command) return wait.observeError(errorOf(command.error), observe);
  return wait.observeResponse(response, observe);
}

async function wait(vector, waiterOf) {
  const time = new VirtualTime();
  const service = new Service(vector.script, time);
  const controller = new AbortController();
  const reason = new Error("the caller cancels");
  const { clock, sleep } = time;
  const host = { input: resolve(vector.input), abortSignal: controller.signal, clock, sleep };
  const { cancelAt } = vector;
  if (cancelAt === 0) controller.abort(reason);
  else if (cancelAt !== undefined) time.until(cancelAt, CANCEL).then(() => controller.abort(reason));
  const waiting = waiterOf().wait(service.call, { ...hostOptions(vector), ...host });
  const ended = await time.run(waiting.then(results.outcome, (error) => results.failure(error, reason)));
  return { ...ended, ...service.seen() };
}

function hostOptions(vector) {
  const { maxWait, ...others } = resolve(vector.options);
  return { maxWaitTime: maxWait, ...others };
}
