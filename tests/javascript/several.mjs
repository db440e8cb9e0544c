/** Runs several waits, and the callers of a fleet, on a virtual clock. */

import { RateLimit, waitAll, waitAny, WaiterError, WaitersFailed } from "smithy-waiters";

import { failureOf } from "./failures.mjs";
import { millis } from "./results.mjs";
import { errorOf, resolve } from "./values.mjs";
import { ANSWER, VirtualTime } from "./virtual-time.mjs";
import { hostOptions, waiterOf } from "./waiters.mjs";

/** Runs `waitAll` or `waitAny`. */
export async function several(vector, file) {
  const time = new VirtualTime();
  const calls = [];
  const host = { clock: time.clock, sleep: time.sleep, seed: 1, rateLimit: vector.rate && new RateLimit(vector.rate) };
  const waits = vector.waits.map((part) => {
    const waiter = waiterOf(part, file);
    return [part.name, (shared) => waiter.wait(callOf(part, time, calls), { ...shared, ...host })];
  });
  const wait = vector.goal === "all" ? waitAll : waitAny;
  const abortSignal = time.abortedAt(vector.cancelAt);
  const run = () => ends(wait(Object.fromEntries(waits), { maxWaitTime: vector.maxWait, abortSignal }));
  return { ...(await onWallClock(time, () => time.run(run()))), calls: sorted(calls, "wait") };
}

function callOf({ name, script }, time, calls) {
  return async ({ number, signal }) => {
    calls.push({ atMs: time.now, wait: name });
    const entry = script[Math.min(number, script.length) - 1];
    if (entry.hangs) await new Promise(() => {});
    await time.until(time.now + entry.takes, ANSWER, signal);
    if (entry.error) throw errorOf(entry.error);
    if (entry.failure) throw failureOf(entry.failure);
    return resolve(entry.response);
  };
}

/** Runs a fleet and its callers. */
export async function fleetWaits(vector, file) {
  const time = new VirtualTime();
  const calls = [];
  const call = async (ids, { signal }) => {
    calls.push({ atMs: time.now, ids });
    await time.until(time.now + vector.takes, ANSWER, signal);
    return { Volumes: ids.flatMap((id) => volume(vector.states, id, time.now)) };
  };
  const { clock, sleep } = time;
  const fleet = waiterOf(vector, file).fleet(call, { ...vector.fleet, rate: vector.rate, clock, sleep });
  const all = Promise.all(vector.callers.map((caller) => endOf(fleet, caller, time)));
  return { ends: await time.run(all), calls: sorted(calls, "ids") };
}

async function endOf(fleet, caller, time) {
  const { at, wait, waitEach, cancelAt, quorum, failFast } = caller;
  if (at > 0) await time.until(at, ANSWER);
  const options = { ...hostOptions(caller), abortSignal: time.abortedAt(cancelAt) };
  const end = wait === undefined ? ends(fleet.waitEach(waitEach, { ...options, quorum, failFast })) : only(wait, fleet.wait(wait, options));
  return { ...(await end), atMs: time.now };
}

/** Returns the volume of an answer with its state at a time, and nothing for an unknown one. */
function volume(states, id, at) {
  const begun = (states[id] ?? []).filter(([start]) => start <= at);
  return begun.length === 0 ? [] : [{ VolumeId: id, State: begun.at(-1)[1] }];
}

async function only(name, wait) {
  try {
    return { outcomes: shown(new Map([[name, await wait]])) };
  } catch (error) {
    if (!(error instanceof WaiterError)) throw error;
    return { failures: shown(new Map([[name, error]])) };
  }
}

async function ends(wait) {
  try {
    const outcomes = await wait;
    return { outcomes: shown(outcomes instanceof Map ? outcomes : new Map(Object.entries(outcomes))) };
  } catch (error) {
    if (!(error instanceof WaitersFailed)) throw error;
    return { failures: shown(error.failures), outcomes: shown(error.outcomes), message: error.message };
  }
}

function shown(ends) {
  const members = ({ attempts, elapsed, code }) => ({ attempts, elapsedMs: millis(elapsed), ...(code !== undefined && { code }) });
  return Object.fromEntries([...ends].map(([name, end]) => [name, members(end)]));
}

/** Runs with `Date.now` on the virtual clock, since a deadline is a time of the wall clock. */
async function onWallClock(time, run) {
  const { now } = Date;
  Date.now = () => time.now;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

function sorted(calls, member) {
  const key = (call) => String(call[member]);
  return calls.toSorted((one, other) => one.atMs - other.atMs || (key(one) < key(other) ? -1 : 1));
}
