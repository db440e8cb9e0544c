/** The same of a file that is CommonJS: its imports are `require`s. This file only has to compile, too. */

import { type Fleet, WaitersFailed, type Outcome, RateLimit, search, Waiter, WaiterError, WaiterTimeout, type WaitOptions } from "smithy-waiters";
import { type DurableWait, durableWait, type WaitHandle } from "smithy-waiters/dbos";
import { FakeClock } from "smithy-waiters/testing";

export const commonClock = new FakeClock();

export function inCommonJs(waiter: Waiter): Waiter {
  return search("a", waiter) === null ? waiter : new Waiter("{}", { name: "InCommonJs" });
}

export async function waitInCommonJs(waiter: Waiter, options: WaitOptions): Promise<number> {
  try {
    const outcome: Outcome<{ a: 1 }> = await waiter.wait(() => ({ a: 1 as const }), { ...options, clock: commonClock });
    return outcome.result === "response" ? outcome.response.a : 0;
  } catch (error) {
    if (error instanceof WaiterTimeout) return (error.code satisfies "timed_out").length;
    return error instanceof WaiterError ? error.attempts : 0;
  }
}

export function fleetInCommonJs(waiter: Waiter): Fleet<{ a: string }> {
  return waiter.fleet(async () => ({ list: [] }), { items: "list[]", key: "a", rate: new RateLimit(2) });
}

export const isWaitersFailed = (error: unknown): error is WaitersFailed => error instanceof WaitersFailed;

export class OwnTimeout extends WaiterTimeout<{ a: 1 }> {}

export function durableInCommonJs(waiter: Waiter): Promise<WaitHandle<{ a: number }>> {
  const wait: DurableWait<number, { a: number }> = durableWait(waiter, (a: number) => ({ a }), { name: "wait", queue: "waits" });
  return wait.start(1, { workflowID: "one", maxAttempts: 2 });
}
