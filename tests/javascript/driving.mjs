/** Runs the vectors for the caller's functions and for sleeps, with the package's own drivers. */

import { resolve } from "./values.mjs";
import { hostOptions, waiterOf } from "./waiters.mjs";
import { millis } from "./results.mjs";

/** Waits with functions that record their calls. */
export async function callbacks(vector, file) {
  const time = { now: 0 };
  const called = [];
  const functions = Object.entries(vector.functions).map(([name, given]) => [name, callback(name, given, called)]);
  const { attempts, end } = await waited(vector, file, { ...sleeping(time, () => Infinity), ...Object.fromEntries(functions) });
  return { called, error: end.error?.message ?? null, attempts };
}

function callback(name, { isAsync, failsAt }, called) {
  const begin = (text) => {
    called.push(text);
    return text;
  };
  const fail = (attempt, text) => {
    if (attempt === failsAt) throw new Error(text);
  };
  if (!isAsync) return ({ attempt }) => fail(attempt, begin(`${name} ${attempt}`));
  return async ({ attempt }) => {
    const text = begin(`${name} ${attempt}`);
    await new Promise((resolve) => void setImmediate(resolve));
    called.push(`end of ${text}`);
    fail(attempt, text);
  };
}

/** Waits with a sleep that takes less time than it should. */
export async function sleeps(vector, file) {
  const sleeps = [];
  const taken = (ms) => {
    sleeps.push(ms);
    return vector.sleepsTake[Math.min(sleeps.length, vector.sleepsTake.length) - 1];
  };
  const { attempts, end } = await waited(vector, file, sleeping({ now: 0 }, taken));
  return { sleeps, attempts, elapsedMs: millis(end.outcome.elapsed) };
}

/** Returns a clock, and a sleep that takes a set time, at most the whole time. */
function sleeping(time, taken) {
  const sleep = async (ms) => {
    time.now += Math.min(ms, taken(ms));
  };
  return { clock: () => time.now, sleep };
}

async function waited(vector, file, host) {
  let attempts = 0;
  const responses = resolve(vector.responses);
  const call = async () => responses[Math.min(++attempts, responses.length) - 1];
  const wait = waiterOf(vector, file).wait(call, { ...hostOptions(vector), ...host });
  const end = await wait.then((outcome) => ({ outcome }), (error) => ({ error }));
  return { attempts, end };
}
