/** Plays a wait with a virtual clock. The package decides when to call and when to end. */

import { every, OptionsError, type Pace as EnginePace, proportional, type StartOptions, type Wait } from "smithy-waiters/asset";
import type { Prepared } from "./evaluate.js";
import type { Schedule } from "./protocol.js";
import type { Pace, Timing } from "./state.js";

/** More calls than can be seen on the time line. */
const MOST_CALLS = 20_000;

export function schedule({ waiter, observation, input }: Prepared, timing: Timing): Schedule {
  const limits = {
    minDelay: waiter.defaults.minDelay ?? waiter.minDelay,
    maxDelay: waiter.defaults.maxDelay ?? waiter.maxDelay,
  };
  try {
    const wait = waiter.start({ maxWaitTime: timing.maxWaitTime, seed: timing.seed, input, ...paceOf(timing.pace) });
    try {
      return { ...limits, problem: undefined, ...play(wait, observation, timing.changeAt * 1000) };
    } finally {
      wait.free();
    }
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    return { ...limits, problem: error.message, calls: [], end: undefined };
  }
}

function paceOf(pace: Pace): Partial<StartOptions> {
  const [rule, number] = pace.split(" ");
  switch (rule) {
    case "every":
      return { pace: every(Number(number)) };
    case "proportional":
      return { pace: proportional(Number(number)), finalPoll: "late" };
    case "default":
      return {};
    default:
      return { pace: rule as EnginePace };
  }
}

/** Before the change, no acceptor matches; then each call returns the result on the page. Calls take no time. */
function play(wait: Wait, observation: Prepared["observation"], changeMs: number): Pick<Schedule, "calls" | "end"> {
  const after = "error" in observation ? ({ type: "error", error: observation.error } as const) : ({ type: "response", response: observation.response } as const);
  const calls: number[] = [];
  let now = 0;
  let step = wait.poll(now);
  while (step.type !== "done" && calls.length < MOST_CALLS) {
    if (step.type === "sleep") {
      now = step.untilMs;
      step = wait.poll(now);
    } else {
      calls.push(now);
      step = wait.handle(now < changeMs ? { type: "verdict" } : after, now);
    }
  }
  if (step.type !== "done") return { calls, end: undefined };
  const { state, code, message, elapsedMs, noticedWithinMs } = step;
  return { calls, end: { state, code, message, atMs: elapsedMs, noticedWithinMs } };
}
