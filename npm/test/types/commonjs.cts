/** The same of a file that is CommonJS: its imports are `require`s. This file only has to compile, too. */

import { type Outcome, search, Waiter, WaiterError, WaiterTimeout, type WaitOptions } from "smithy-waiters";
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

export class OwnTimeout extends WaiterTimeout<{ a: 1 }> {}
