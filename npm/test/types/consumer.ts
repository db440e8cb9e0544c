/** How a program that is written in TypeScript uses the package: this file only has to compile. */

import {
  type AttemptRecord,
  delay,
  type Outcome,
  OptionsError,
  type Progress,
  type Reason,
  search,
  type Step,
  type Verdict,
  type Wait,
  Waiter,
  WaiterError,
  WaiterTimeout,
} from "smithy-waiters";

interface DescribeTableInput {
  TableName: string;
}

interface DescribeTableOutput {
  Table?: { TableStatus?: "ACTIVE" | "CREATING" };
}

declare function describeTable(input: DescribeTableInput, signal: AbortSignal): Promise<DescribeTableOutput>;

/** Fails to compile where a type is `any`. */
type Known<T> = 0 extends 1 & T ? never : T;
function known<T>(_value: Known<T>): void {}

export async function useWait(controller: AbortController): Promise<string | undefined> {
  const waiter = new Waiter({ acceptors: [] }, { name: "TableExists" });
  const input: DescribeTableInput = { TableName: "t" };
  const outcome = await waiter.wait(({ signal, number, remaining }) => {
    known<number>(number + remaining);
    return describeTable(input, signal);
  }, {
    maxWaitTime: 300,
    input,
    abortSignal: controller.signal,
    onAttempt: (progress: Progress<DescribeTableOutput>) => known<number | undefined>(progress.delay),
    sleep: (ms: number, signal: AbortSignal) => new Promise<void>((resolve) => void [ms, signal, resolve]),
    clock: () => performance.now(),
  });
  known<Outcome<DescribeTableOutput>>(outcome);
  known<readonly AttemptRecord[]>(outcome.history);
  return outcome.response?.Table?.TableStatus;
}

export function useSteps(waiter: Waiter): Step<DescribeTableOutput> {
  const wait: Wait<DescribeTableOutput> = waiter.start<DescribeTableOutput>({ maxWaitTime: 5, seed: 1 });
  const step = wait.next(0);
  switch (step.type) {
    case "call":
      known<number>(step.remainingMs);
      return wait.observeResponse({ Table: { TableStatus: "ACTIVE" } }, 1);
    case "sleep":
      known<number>(step.delayMs);
      return wait.cancel(1, new Error("enough"));
    case "done":
      known<DescribeTableOutput | undefined>(step.outcome().response);
      return step;
  }
}

export function useVerdict(waiter: Waiter): readonly Reason[] {
  const verdict: Verdict<DescribeTableOutput> = waiter.evaluate({ response: { Table: {} } as DescribeTableOutput });
  known<"success" | "failure" | "retry">(verdict.state);
  known<number | undefined>(verdict.acceptor);
  known<unknown>(waiter.evaluate({ error: "Gone" }, { input: {} }).error);
  return verdict.reasons;
}

export function useErrors(error: unknown): string {
  if (error instanceof WaiterTimeout) return error.explain();
  if (error instanceof OptionsError) return error.option;
  return error instanceof WaiterError ? `${error.code}: ${error.attempts}` : "";
}

export function useSaved(waiter: Waiter, wait: Wait<DescribeTableOutput>): Wait<DescribeTableOutput> {
  known<number>(wait.toJSON().version);
  known<Step<DescribeTableOutput>>(wait.observeVerdict("retry", undefined, undefined, 5));
  known<Wait<DescribeTableOutput>>(waiter.resume<DescribeTableOutput>(JSON.stringify(wait)));
  return waiter.resume<DescribeTableOutput, { a: 1 }>(wait.toJSON(), { input: { a: 1 }, elapsedMs: 5 });
}

known<Waiter>(Waiter.fromModel({ shapes: {} }, "TableExists", { service: "a#Tables", serviceErrorsOnly: true }));
known<Waiter>(new Waiter("{}", { errorNames: (error) => (error instanceof Error ? [error.name] : null) }));

known<unknown>(search("a", {}));
known<number | undefined>(delay({ attempt: 1, remaining: 5, minDelay: 1, maxDelay: 2, random: 0 })?.delay);

// @ts-expect-error the max wait time is required
export const missing = (waiter: Waiter) => waiter.wait(() => 1, {});
// @ts-expect-error a response or an error
export const neither = (waiter: Waiter) => waiter.evaluate({});

// A definition is typed: what is misspelt does not compile.
// @ts-expect-error a comparator that there is not
export const wrong = new Waiter({ acceptors: [{ state: "success", matcher: { output: { path: "a", expected: "b", comparator: "equals" } } }] });
// @ts-expect-error a state that there is not
export const misspelt = new Waiter({ acceptors: [{ state: "sucess", matcher: { success: true } }] });
// @ts-expect-error a member that there is not
export const unknown = new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }], minDealy: 3 });
