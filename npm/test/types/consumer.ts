/** Uses the package in TypeScript. This file is compiled but does not run. */

import {
  type AttemptJson,
  type AttemptRecord,
  type Attempts,
  DefinitionError,
  type DefinitionErrorCode,
  delay,
  type DoneStep,
  every,
  ExpressionError,
  type FailureCode,
  type Fleet,
  WaitersFailed,
  type FleetOptions,
  type FleetProgress,
  type JsonValue,
  type Outcome,
  OptionsError,
  type Pace,
  type PathValue,
  type Progress,
  proportional,
  RateLimit,
  type Reason,
  type ResumeEachOptions,
  search,
  type SharedOptions,
  StateError,
  type Step,
  type Transient,
  type Verdict,
  type Wait,
  waitAll,
  waitAny,
  Waiter,
  WaiterAttemptsExceeded,
  WaiterCancelled,
  type WaiterDefinition,
  WaiterError,
  WaiterFailed,
  WaiterTimeout,
  type WaitEvent,
  type WaitOptions,
} from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { commonClock, inCommonJs } from "./commonjs.cjs";

interface DescribeTableInput {
  TableName: string;
}

interface DescribeTableOutput {
  Table?: { TableStatus?: "ACTIVE" | "CREATING" };
}

declare function describeTable(input: DescribeTableInput, signal: AbortSignal): Promise<DescribeTableOutput>;

/** Fails to compile if a type is `any`. */
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

// `result` discriminates the union: with a response, the member `response` is present.
export async function useOutcome(waiter: Waiter): Promise<string> {
  const outcome = await waiter.wait(({ signal }) => describeTable({ TableName: "t" }, signal), { maxWaitTime: 5 });
  if (outcome.result === "error") {
    known<undefined>(outcome.response);
    return String(outcome.error);
  }
  known<undefined>(outcome.error);
  known<number | undefined>(outcome.noticedWithin);
  const { Table }: DescribeTableOutput = outcome.response;
  return String(Table);
}

// The types are inferred from the call and the options.
export async function useInference(waiter: Waiter): Promise<void> {
  const call = async () => ({ Table: { TableStatus: "ACTIVE" as const } });
  await waiter.wait(({ number, signal }) => describeTable({ TableName: `${number}` }, signal), {
    maxWaitTime: 5,
    onAttempt: ({ response, delay }) => {
      known<DescribeTableOutput | undefined>(response);
      known<number | undefined>(delay);
    },
  });
  const attempts: Attempts<{ Table: { TableStatus: "ACTIVE" } }> = waiter.attempts(call, { maxWaitTime: 5, clock: new FakeClock() });
  for await (const { response, state } of attempts) {
    known<"ACTIVE" | undefined>(response?.Table.TableStatus);
    known<"success" | "failure" | "retry" | undefined>(state);
  }
  known<Outcome<{ Table: { TableStatus: "ACTIVE" } }> | undefined>(attempts.outcome);
  const iterator: AsyncIterable<Progress> = attempts;
  known<AsyncIterable<Progress>>(iterator);
  const verdict = await waiter.check(call, { input: { TableName: "t" } });
  known<"ACTIVE" | undefined>(verdict.response?.Table.TableStatus);
}

// A waiter for an operation accepts only the operation's input and responses.
export async function useOperation(controller: AbortController): Promise<void> {
  const waiter = new Waiter<DescribeTableInput, DescribeTableOutput>("{}");
  const call = () => describeTable({ TableName: "t" }, controller.signal);
  const outcome = await waiter.wait(call, { maxWaitTime: 5, input: { TableName: "t" } });
  known<DescribeTableOutput | undefined>(outcome.response);
  known<DescribeTableOutput | undefined>(waiter.evaluate({ error: "Gone" }).response);
  // @ts-expect-error another operation's input
  await waiter.wait(call, { maxWaitTime: 5, input: { Bucket: "b" } });
  // @ts-expect-error another operation's response
  await waiter.wait(() => ({ Table: 5 }), { maxWaitTime: 5 });
  // @ts-expect-error another operation's response
  waiter.evaluate({ response: "ACTIVE" });
  known<Waiter<DescribeTableInput, DescribeTableOutput>>(Waiter.fromModel<DescribeTableInput, DescribeTableOutput>({}, "TableExists"));
  await useInference(waiter as Waiter);
}

export function useData(error: WaiterError): JsonValue {
  const { response, history, code } = error.toJSON();
  known<JsonValue>(response);
  known<readonly AttemptJson[]>(history);
  known<number | null | undefined>(history[0]?.acceptor);
  known<"cancelled" | "failure_state" | "gone" | "never_found" | "never_left" | "never_seen" | "replaced" | "timed_out" | "too_many_attempts" | "unexpected_state" | "unmatched_error" | "unreachable" | null>(code);
  return response;
}

export function useSteps(waiter: Waiter): Step<DescribeTableOutput> {
  const wait: Wait<DescribeTableOutput> = waiter.start<DescribeTableOutput>({ maxWaitTime: 5, attemptTimeout: 1, seed: 1 });
  const step = wait.poll(0);
  switch (step.type) {
    case "call":
      known<number>(step.deadlineMs + wait.nowMs);
      return wait.handle({ type: "response", response: { Table: { TableStatus: "ACTIVE" } }, notBeforeMs: 5 }, 1);
    case "sleep":
      known<number>(step.untilMs);
      return wait.handle({ type: "cancelled", reason: new Error("enough") }, 1);
    case "done":
      known<DescribeTableOutput | undefined>(step.outcome().response);
      known<"cancelled" | "cut" | "error" | "late" | "response" | undefined>(step.lastResult);
      return step;
  }
}

// `type` discriminates events.
export function useEvents(wait: Wait<DescribeTableOutput>, event: WaitEvent<DescribeTableOutput>): Step<DescribeTableOutput> {
  if (event.type === "response") known<DescribeTableOutput>(event.response);
  // @ts-expect-error an event that does not exist
  wait.handle({ type: "expired" }, 1);
  // @ts-expect-error another operation's response
  wait.handle({ type: "response", response: 5 }, 1);
  wait.handle({ type: "error", error: new Error("no"), transient: false }, 1);
  wait.handle({ type: "verdict", error: "Throttled", transient: { answered: false } }, 1);
  // @ts-expect-error a classification that does not exist
  wait.handle({ type: "error", error: "Throttled", transient: true }, 1);
  const transient: Transient = { notBeforeMs: 5 };
  return wait.handle({ type: "error", error: "Throttled", transient }, 1);
}

// `state` discriminates the results of a wait.
export function useDone(step: DoneStep<DescribeTableOutput>): DescribeTableOutput | FailureCode | undefined {
  if (step.state === "success") {
    known<undefined>(step.code);
    known<number | undefined>(step.noticedWithinMs);
    return step.outcome().response;
  }
  known<FailureCode>(step.code);
  step.outcome() satisfies never;
  return step.code;
}

export function useVerdict(waiter: Waiter): readonly Reason[] {
  const verdict: Verdict<DescribeTableOutput> = waiter.evaluate({ response: { Table: {} } as DescribeTableOutput });
  known<"success" | "failure" | "retry">(verdict.state);
  known<number | undefined>(verdict.acceptor);
  known<unknown>(waiter.evaluate({ error: "Gone" }, { input: {} }).error);
  return verdict.reasons;
}

// Each class has separate codes.
export function useErrors(error: unknown): string {
  if (error instanceof WaiterTimeout) return `${error.code satisfies "timed_out"}: ${error.explain()}`;
  if (error instanceof WaiterFailed) return error.code satisfies "failure_state" | "gone" | "never_found" | "never_left" | "never_seen" | "replaced" | "unexpected_state" | "unmatched_error" | "unreachable";
  if (error instanceof WaiterAttemptsExceeded) return error.code satisfies "too_many_attempts";
  if (error instanceof WaiterCancelled) return error.code satisfies "cancelled";
  if (error instanceof OptionsError) return `${error.code}: ${error.option}`;
  if (error instanceof DefinitionError) return toldOf(error.code);
  if (error instanceof ExpressionError || error instanceof StateError) return error.toJSON().code;
  return error instanceof WaiterError ? `${error.code}: ${error.attempts}` : "";
}

function toldOf(code: DefinitionErrorCode): string {
  // @ts-expect-error an unknown code
  return code === "no_such_code" ? "" : code;
}

// `result` discriminates the results of an attempt.
export function useProgress(progress: Progress<DescribeTableOutput>): string {
  const { result, response, error } = progress;
  if (result === "response") {
    known<undefined>(error);
    return String((response satisfies DescribeTableOutput).Table);
  }
  if (result === "error") return `${response satisfies undefined} ${String(error)}`;
  return progress.result satisfies "cut" | "late";
}

// The pace, the last poll and transient errors.
export async function useRules(waiter: Waiter): Promise<void> {
  const pace: Pace = every(15);
  await waiter.wait(() => 1, { maxWaitTime: 5, pace, finalPoll: "late", transientErrors: "fail", transientWindow: 30 });
  waiter.attempts(() => 1, { maxWaitTime: 5, pace: "specification", finalPoll: "specification", transientErrors: "retry" });
  waiter.start({ maxWaitTime: 5, pace: proportional(0.1) });
  // @ts-expect-error a pace that does not exist
  waiter.start({ maxWaitTime: 5, pace: "often" });
  // @ts-expect-error a number is not a pace
  waiter.start({ maxWaitTime: 5, pace: 15 });
}

// The short form: each form has its own options.
export async function useUntil(): Promise<string | undefined> {
  const active = Waiter.until("Table.TableStatus", "ACTIVE", {
    name: "TableActive",
    any: false,
    fail: ["ARCHIVED", { errorType: "AccessDenied" }],
    pending: ["CREATING"],
    retryErrors: ["ResourceNotFoundException"],
    serviceErrorsOnly: true,
  });
  known<Waiter>(active);
  known<WaiterDefinition>(active.definition);
  known<Waiter>(active.extend({ fail: ["LOST"], first: [{ state: "retry", matcher: { success: false } }] }));
  known<Waiter<DescribeTableInput, DescribeTableOutput>>(Waiter.until<DescribeTableInput, DescribeTableOutput>("Enabled", false));
  known<Waiter>(Waiter.until("length(Items) >= `3`", { fail: [{ errorType: "AccessDenied" }] }));
  const typed = Waiter.until((response: DescribeTableOutput) => response.Table?.TableStatus === "ACTIVE", { retryErrors: ["NotFound"] });
  known<Waiter<unknown, DescribeTableOutput>>(typed);
  known<Waiter<unknown, DescribeTableOutput>>(Waiter.until<DescribeTableOutput>(({ Table }) => Table?.TableStatus?.startsWith("A")));
  // @ts-expect-error a value to fail on needs a path
  Waiter.until("length(Items) >= `3`", { fail: ["FAILED"] });
  // @ts-expect-error `pending` cannot be combined with a predicate
  Waiter.until(() => true, { pending: ["CREATING"] });
  // @ts-expect-error a predicate must not be asynchronous
  Waiter.until(async () => true);
  // @ts-expect-error other values must be compared in the expression
  Waiter.until("count", 3);
  // @ts-expect-error another operation's response
  await typed.wait(() => ({ Table: 5 }), { maxWaitTime: 5 });
  const { response } = await typed.wait(({ signal }) => describeTable({ TableName: "t" }, signal), {
    maxWaitTime: 5,
    label: "orders",
    show: ["Table.TableStatus"],
    onAttempt: ({ summary, label, values }) => {
      known<string>(summary);
      known<string | undefined>(label);
      known<readonly PathValue[]>(values);
    },
  });
  known<string | undefined>(typed.start({ maxWaitTime: 5 }).summary);
  return response?.Table?.TableStatus;
}

// Options that both kinds of waits share may set a callback to undefined.
export async function useAround(waiter: Waiter, stop: () => Promise<void>): Promise<void> {
  const options = { maxWaitTime: 5, cancelWith: stop, rateLimit: new RateLimit(5) };
  try {
    await waiter.wait(() => describeTable({ TableName: "t" }, AbortSignal.timeout(5)), {
      ...options,
      onChange: ({ response }) => known<DescribeTableOutput | undefined>(response),
      onFailure: (error) => {
        known<DescribeTableOutput | undefined>(error.response);
        return error.explain();
      },
    });
    const around: WaitOptions = { ...options, onChange: undefined, onFailure: undefined, cancelWith: undefined, rateLimit: undefined };
    for await (const { attempt } of waiter.attempts(() => 1, { ...around, onAttempt: undefined, onFailure: async ({ code }) => known<FailureCode>(code) })) known<number>(attempt);
  } catch (error) {
    if (!(error instanceof WaiterError)) throw error;
    known<boolean>(error.leavesWork);
    known<unknown[]>([error.details, error.detailsError, error.cancelError]);
  }
  known<boolean>(waiter.start({ maxWaitTime: 5 }).changed);
  // @ts-expect-error a limit, not a number
  await waiter.wait(() => 1, { maxWaitTime: 5, rateLimit: 5 });
}

export async function useSeveral(typed: Waiter<unknown, DescribeTableOutput>, waiter: Waiter): Promise<void> {
  const table = (options: SharedOptions) => typed.wait(() => describeTable({ TableName: "t" }, AbortSignal.timeout(5)), options);
  const waits = { table, other: (options: SharedOptions) => waiter.wait(() => 1, { ...options, minDelay: 5 }) };
  const outcomes = await waitAll(waits, { maxWaitTime: 600, abortSignal: undefined });
  known<DescribeTableOutput | undefined>(outcomes.table.response);
  const first = await waitAny(waits, { maxWaitTime: 600 });
  known<DescribeTableOutput | undefined>(first.table?.response);
  const tables = new Map([["a", table]]);
  known<Map<string, Outcome<DescribeTableOutput>>>(await waitAll(tables, { maxWaitTime: 600 }));
  // @ts-expect-error a wait and not its promise
  await waitAll({ table: table({ deadline: 5, abortSignal: AbortSignal.timeout(5) }) }, { maxWaitTime: 600 });
  // @ts-expect-error without a deadline
  await waitAll(waits, {});
}

export async function useShared(waiter: Waiter, options: Omit<WaitOptions, "onAttempt">): Promise<void> {
  for await (const { attempt } of waiter.attempts(() => 1, { ...options, onAttempt: undefined })) known<number>(attempt);
  // @ts-expect-error a loop over attempts does not need a callback
  waiter.attempts(() => 1, { ...options, onAttempt: () => {} });
}

interface Volume {
  VolumeId?: string;
  State?: "available" | "creating";
}

declare function describeInstances(ids: string[]): Promise<{ Reservations?: { Instances?: { InstanceId: string }[] }[] }>;
declare function describeVolumes(ids: string[], signal: AbortSignal): Promise<{ Volumes?: Volume[] }>;

// The type of a fleet's resources follows from its call and the path.
export async function useFleet(waiter: Waiter, controller: AbortController): Promise<string | undefined> {
  const options: FleetOptions<"Volumes[]"> = { items: "Volumes[]", key: ["VolumeId", "Arn"], also: { "failures[]": "arn" }, batch: 200, rate: new RateLimit(5), clock: new FakeClock() };
  const fleet = waiter.fleet((ids, { signal }) => describeVolumes(ids, signal), options);
  known<Volume>(await fleet.wait("vol-1", { maxWaitTime: 5 }).then(({ response }) => response ?? {}));
  known<number>(fleet.rate.rate);
  const outcomes = await fleet.waitEach(new Set(["vol-1", "vol-2"]), {
    maxWaitTime: 600,
    quorum: 1,
    failFast: true,
    abortSignal: controller.signal,
    onProgress: ({ waiting, succeeded, failed }: FleetProgress) => known<number>(waiting + succeeded + failed),
  });
  known<Map<string, Outcome<Volume>>>(outcomes);
  const resume: ResumeEachOptions = { quorum: 1, abortSignal: controller.signal, elapsedMs: 5_000, onState: (state) => known<string>(state) };
  known<Map<string, Outcome<Volume>>>(await fleet.resumeEach("{}", resume));
  // @ts-expect-error the options are those of the state
  await fleet.resumeEach({}, { maxWaitTime: 5 });
  const paged = waiter.fleet(async function* (ids: string[]) { yield await describeVolumes(ids, controller.signal); }, { items: "Volumes[]", key: "VolumeId", rate: 2 });
  known<Volume["State"]>((await paged.wait("vol-1", { maxWaitTime: 5 })).response?.State);
  const nested = await waiter.fleet(describeInstances, { items: "Reservations[].Instances[]", key: "InstanceId" }).wait("i-1", { maxWaitTime: 5 });
  known<string | undefined>(nested.response?.InstanceId);
  // The path is not known to the compiler, or not in the response.
  known<Fleet>(waiter.fleet(describeInstances, { items: String("Reservations[]"), key: "InstanceId" }));
  known<Fleet>(waiter.fleet(describeInstances, { items: "Instances[]", key: "InstanceId" }));
  const { response } = await fleet.wait("vol-1", { maxAttempts: 3, notFoundFor: 60 });
  // @ts-expect-error a fleet's call has no input
  await fleet.wait("vol-1", { maxWaitTime: 5, input: {} });
  // @ts-expect-error a limit is required
  await fleet.waitEach(["vol-1"], { quorum: 1 });
  // @ts-expect-error the key is missing
  waiter.fleet(() => 1, { items: "Volumes[]" });
  return response?.State;
}

export function useWaitersFailed(error: unknown): string[] {
  if (!(error instanceof WaitersFailed)) return [];
  known<number>(error.outcomes.size + error.errors.length);
  return [...error.failures].map(([id, { code }]) => `${id}: ${code satisfies FailureCode}`);
}

// A standalone definition.
export const ofItsOwn = new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] } satisfies WaiterDefinition);

// A definition from a JSON file, with the type that TypeScript infers.
declare const ofJson: {
  acceptors: (
    | { state: string; matcher: { output: { path: string; comparator: string; expected: string }; errorType?: never } }
    | { state: string; matcher: { errorType: string; output?: never } }
  )[];
  minDelay: number;
};
export const fromJson = new Waiter(ofJson as WaiterDefinition);

// The types for CommonJS are equal.
known<Waiter>(inCommonJs(new Waiter("{}")));
known<FakeClock>(commonClock);

export function useSaved(waiter: Waiter, wait: Wait<DescribeTableOutput>): Wait<DescribeTableOutput> {
  known<number>(wait.toJSON().version);
  known<Step<DescribeTableOutput>>(wait.handle({ type: "verdict", acceptor: 0, response: {} }, 5));
  known<Wait<DescribeTableOutput>>(waiter.resume<DescribeTableOutput>(JSON.stringify(wait)));
  return waiter.resume<DescribeTableOutput, { a: 1 }>(wait.toJSON(), { input: { a: 1 }, elapsedMs: 5 });
}

known<Waiter>(Waiter.fromModel({ shapes: {} }, "TableExists", { service: "a#Tables", serviceErrorsOnly: true }));
known<Waiter>(new Waiter("{}", { errorNames: (error) => (error instanceof Error ? [error.name] : null) }));

known<unknown>(search("a", {}));
known<number | undefined>(delay({ attempt: 1, remaining: 5, minDelay: 1, maxDelay: 2, random: 0 })?.delay);

// @ts-expect-error a limit is required
export const missing = (waiter: Waiter) => waiter.wait(() => 1, {});
// Attempts and a deadline are limits, too. Types are inferred as well.
export async function useOtherLimits(waiter: Waiter): Promise<string | undefined> {
  const { response } = await waiter.wait(({ signal }) => describeTable({ TableName: "t" }, signal), {
    maxAttempts: 5,
    minDelay: 0,
    maxDelay: 0,
    onAttempt: ({ response }) => known<DescribeTableOutput | undefined>(response),
  });
  for await (const { attempt } of waiter.attempts(() => 1, { maxAttempts: 5 })) known<number>(attempt);
  known<Wait>(waiter.start({ maxAttempts: 5, maxWaitTime: undefined }));
  known<Wait>(waiter.start({ deadline: new Date(), label: "orders", show: ["Table.TableStatus"] }));
  known<Wait>(waiter.start({ deadline: Date.now() + 5000, maxAttempts: 5 }));
  known<Wait>(waiter.start({ maxWaitTime: 5, deadline: Date.now(), maxAttempts: 5 }));
  // @ts-expect-error a deadline is not a text
  waiter.start({ deadline: "tomorrow" });
  return response?.Table?.TableStatus;
}
// @ts-expect-error a response or an error
export const neither = (waiter: Waiter) => waiter.evaluate({});

// Definitions are typed: misspelled names do not compile.
// @ts-expect-error an unknown comparator
export const wrong = new Waiter({ acceptors: [{ state: "success", matcher: { output: { path: "a", expected: "b", comparator: "equals" } } }] });
// @ts-expect-error an unknown state
export const misspelt = new Waiter({ acceptors: [{ state: "sucess", matcher: { success: true } }] });
// @ts-expect-error an unknown member
export const unknown = new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }], minDealy: 3 });
