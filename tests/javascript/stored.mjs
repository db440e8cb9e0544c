/** Runs the vectors for what hosts decide about stored waits and about their options. */

import { OptionsError, Paginator, RateLimit, RequestCompression, retry, StateError, waitAll, Waiter } from "smithy-waiters";
import { StoredWaits } from "smithy-waiters/durable";

import { pauseOf, pollAction } from "./machines.mjs";
import * as results from "./results.mjs";
import { hostOptions, waiterOf } from "./waiters.mjs";
import { errorOf, resolve } from "./values.mjs";

/** Begins a stored wait, or continues that of a text, and makes its polls. A poll whose process crashes has no result. */
export async function stored(vector, file) {
  try {
    const waits = new StoredWaits(waiterOf(vector, file), vector.reportLimit);
    const begun = vector.state === undefined ? begin(waits, vector) : { state: resolve(vector.state) };
    const polls = [];
    let { state } = begun;
    for (const poll of vector.polls) {
      const result = await made(waits, state, poll);
      state = result.state ?? state;
      polls.push(result);
    }
    return { begun, polls };
  } catch (error) {
    return results.refusal(error, error instanceof StateError ? StateError : OptionsError);
  }
}

function begin(waits, { waitId, startedAt, deadlineAt, input, arguments: text, ...vector }) {
  const options = { ...hostOptions(vector), input: resolve(input), deadline: deadlineAt };
  const begun = waits.begin(waitId, options, text, startedAt);
  return { state: begun.text, dueAt: begun.dueAtMs, endsAt: begun.endsAtMs, identity: begun.identity };
}

/** Returns the response of an answer, or throws its error. */
export function answerOf({ error, response }) {
  if (error) throw errorOf(error);
  return resolve(response);
}

async function made(waits, text, poll) {
  if (poll.pause) return at(poll.at, () => pauseOf(text));
  if (poll.conclude) return at(poll.at, () => ({ end: JSON.stringify(waits.conclude(text)) }));
  let call = null;
  const operation = ({ number }) => {
    call = number;
    return answerOf(poll);
  };
  try {
    const { state, end } = await at(poll.at, () => waits.attempt(text, operation));
    if (poll.crash) return { call };
    if (end !== null) return { call, end: JSON.stringify(end) };
    return { call, state: state.text, dueAt: state.dueAtMs, summary: state.progress?.summary ?? null };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

/** Runs at a fixed time of the wall clock; calls take no time. */
export async function at(ms, run) {
  const { now } = Date;
  const { now: monotonic } = performance;
  Date.now = () => ms;
  performance.now = () => 0;
  try {
    return await run();
  } finally {
    Date.now = now;
    performance.now = monotonic;
  }
}

export function pollRecords({ records }) {
  return records.map(({ nextExists, wait, isFirst, isReported }) => pollAction(nextExists, wait, isFirst, isReported));
}

/** Starts a wait with a deadline relative to now, or with another value as its deadline. */
export async function hostOptionsOf(vector, file) {
  const now = 1_700_000_000_000;
  const deadline = "deadlineIn" in vector ? now + resolve(vector.deadlineIn) * 1000 : resolve(vector.deadline);
  try {
    const wait = await at(now, () => waiterOf(vector, file).start({ deadline }));
    const step = results.step(wait.poll(0));
    wait.free();
    return { type: step.type, code: step.report?.code ?? null };
  } catch (error) {
    const { error: refused } = results.refusal(error, OptionsError);
    return { error: vector.hostText ? { ...refused, message: null } : refused };
  }
}

/** Passes an argument of the wrong type, and returns the class of the error and the name of the option. */
export async function hostArguments({ function: name, call, policy, arguments: given }, file) {
  const waiter = waiterOf({ definition: "Any" }, file);
  const operation = call === undefined ? () => null : resolve(call);
  const fleet = (options) => waiter.fleet(async () => ({}), { items: "list[]", key: "id", ...options });
  const functions = {
    check: () => waiter.check(operation),
    retry: () => retry(operation, policy === undefined ? {} : { policy: resolve(policy) }),
    wait: () => waiter.wait(operation, { maxWaitTime: 1 }),
    compress: () => new RequestCompression(["gzip"]).encodingOf(given.size),
    fleet: () => fleet(given),
    "fleet-wait": () => fleet().wait(given.id, { maxWaitTime: 1 }),
    items: () => new Paginator({ inputToken: "token", outputToken: "token", items: "list" }).items(operation, {}, given).next(),
    "rate-limit": () => new RateLimit(given.rate),
    "wait-all": () => waitAll({}, { maxWaitTime: given.maxWait }),
    "wait-each": ({ ids, ...options } = given) => fleet().waitEach(ids, { maxWaitTime: 1, ...options }),
    waiter: () => new Waiter(file.definitions.Any, given),
  };
  try {
    await functions[name]();
    return { error: null };
  } catch (error) {
    if (given !== undefined) return results.refusal(error, OptionsError);
    return { error: { class: error.name, option: error.option ?? null } };
  }
}
