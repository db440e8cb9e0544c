/**
 * The deadline of a call or a callback.
 *
 * @module
 */

import type { Clock } from "./clock.js";
import { guarded, soon, startTimer, type StartTimer, type Stop } from "./timers.js";

/** Calls `passed` once the clock has reached the deadline: a timer may fire early, and is then started again. */
export function startDeadline(clock: Clock, at: number, timer: StartTimer, passed: () => void, failed: (error: unknown) => void): Stop {
  let stopped = false;
  let stop: Stop;
  const start = (timer: StartTimer): Stop => {
    const before = clock.now();
    // A call that held the thread past its deadline may have its answer.
    return before >= at ? soon(passed) : timer(at - before, guarded(() => fired(timer, before), failed), failed);
  };
  const fired = (timer: StartTimer, before: number): void => {
    // Mocked timers may fire although they were stopped.
    if (stopped) return;
    if (clock.now() >= at) return passed();
    const mocked = clock.isMocked(timer, before, at);
    // A mocked timer of the machine counts as passed, after an answer that is at hand.
    if (mocked && timer === startTimer) stop = soon(skip);
    // A caller's own sleep may take no time although the call takes its time: the machine's timer takes over.
    else stop = start(mocked ? startTimer : timer);
  };
  const skip = (): void => {
    if (stopped) return;
    clock.skipTo(at);
    passed();
  };
  stop = start(timer);
  return () => {
    stopped = true;
    stop();
  };
}
