/**
 * Waits in durable functions of AWS Lambda, which outlive their invocations.
 *
 * A wait is one `waitForCondition` of the function's context, and each poll is one of its checks. The checkpoint after a check
 * contains the compressed state, and the function does not run between two polls. Install `@aws/durable-execution-sdk-js` beside this
 * package.
 *
 * @example
 * ```js
 * export const handler = withDurableExecution(async ({ database }, context) => {
 *   const { response } = await durableWait(context, available, ({ signal }) => describe(database, signal), { maxWaitTime: 6 * 3600 });
 *   return response.Endpoint;
 * });
 * ```
 *
 * @module
 */

import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DurableContext, WaitForConditionCheckFunc, WaitForConditionDecision } from "@aws/durable-execution-sdk-js";
import { outcomeOf, revive, withExplanation } from "./durable/stored-end.js";
import { type BeginOptions, pauseSeconds, storedFacts, StoredWaits } from "./durable/stored.js";
import { StateError } from "./errors/waiter.js";
import { checkCall, checkObject, checkText } from "./input/checks.js";
import type { Call } from "./options.js";
import type { EndJson, Outcome } from "./report/outcome.js";
import type { Waiter } from "./waiter.js";

/** Lambda stores at most 256 KiB for each operation. A failure also has its explanation, which takes about half as much as its history. */
const REPORT_LIMIT = 160 * 1024;

/** The number of attempts that a wait keeps, so that a checkpoint takes about 1 KB. */
const HISTORY_LIMIT = 5;

/** The payloads of the checkpoints are texts of this module: a compressed state, or the report of a wait that has ended. */
const TEXTS = { serialize: async (text: string | undefined) => text, deserialize: async (text: string | undefined) => text };

/** The options of `durableWait`: the options of the wait, and these. The `historyLimit` is 5 by default, so that a checkpoint takes about 1 KB. */
export type DurableWaitOptions<Input = unknown> = BeginOptions<Input> & {
  /** The name of the operations; the name of the waiter by default, or else `wait`. */
  readonly name?: string | undefined;
  /**
   * The maximum size of an outcome or a failure as JSON, in bytes, without its explanation. A text replaces a response or an error
   * that is too large, and then the oldest attempts are removed from the history. They are also removed from a larger state of a
   * running wait.
   *
   * @default 160 KiB
   */
  readonly reportLimit?: number | undefined;
};

/**
 * Waits in a durable function of AWS Lambda, and returns a promise of the outcome, whose response is plain data.
 *
 * The wait is two operations of the context: the step `NAME.start`, which stores the start, and the condition `NAME`. The options do not
 * change while the wait is running, even if the program does. The seed of the delays is random by default.
 *
 * @param context the context of the durable function or of a child context.
 * @param waiter the waiter. It cannot have a predicate.
 * @param call the function that makes the call. After a crash, the interrupted call is repeated.
 * @param options the options of the wait.
 * @throws WaiterError if the wait fails; OptionsError if an option is invalid; TypeError if `call` is not a function; StateError if the
 * waiter has a predicate, or if the stored state is damaged, belongs to another definition or was stored by a later release. The
 * promise rejects with the error.
 */
export async function durableWait<Output extends Response, Input = unknown, Response = unknown>(
  context: DurableContext,
  waiter: Waiter<Input, Response>,
  call: Call<Output>,
  options: DurableWaitOptions<Input>,
): Promise<Outcome<Output>> {
  checkCall(call);
  checkObject(options);
  const { name = waiter.name ?? "wait", reportLimit = REPORT_LIMIT, ...rest } = { historyLimit: HISTORY_LIMIT, ...options };
  checkText("name", name);
  const waits = new StoredWaits<Input, Response>(waiter, reportLimit);
  const begun = waits.begin(crypto.randomUUID(), rest as BeginOptions<Input>);
  // A step, so that the time of a first check that was interrupted counts, too. Both operations start before this function pauses, so
  // that their IDs are the same in each invocation, whichever other waits run beside this one.
  const start = context.step(`${name}.start`, async () => packed(begun.text), { serdes: TEXTS });
  const check: WaitForConditionCheckFunc<string> = async (payload, { attempt, logger }) => {
    const stored = payload === UNKNOWN ? await start : payload;
    const state = unpacked(stored);
    // Only the initial delay is before the first check. Later ones are due, whatever the clock of this computer shows.
    if (attempt === 1 && storedFacts(state).dueAtMs > Date.now()) return stored;
    const { progress, state: next, end } = await waits.attempt(state, call);
    if (progress !== null) logger.info(progress.summary);
    if (next !== null) return packed(next.text);
    return JSON.stringify(end.code === null ? end : withExplanation(end));
  };
  const config = { initialState: UNKNOWN, waitStrategy: decision, serdes: TEXTS };
  const end = endOf<Output>(await context.waitForCondition(name, withStateErrors(check), config));
  if (end instanceof Error) throw end;
  return end;
}

/** Returns the outcome or the error of a wait, from the payload of its last checkpoint. */
function endOf<Response>(payload: string): Error | Outcome<Response> {
  try {
    const json = JSON.parse(payload) as EndJson;
    if (json.code === null) return outcomeOf<Response>(json);
    const error = revive(json, durableWait);
    if (error instanceof Error) return error;
  } catch {
    // It is not JSON, or not a report.
  }
  return damaged("the report of a wait");
}

function damaged(expected: string): StateError {
  return new StateError({ code: "damaged_state", message: `the checkpoint must be ${expected}` });
}

/** The payload before the start is known. */
const UNKNOWN = "";

/**
 * Returns the check with its `StateError` as a report, as any failure of the wait: if the check before was in the same invocation,
 * the SDK 2.4 stores an error of a check twice, which Lambda refuses.
 */
function withStateErrors(check: WaitForConditionCheckFunc<string>): WaitForConditionCheckFunc<string> {
  return async (payload, context) => {
    try {
      return await check(payload, context);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const { name, code, message } = error;
      return JSON.stringify({ name, code, message });
    }
  };
}

function decision(payload: string): WaitForConditionDecision {
  // A report. Base64 has no braces.
  if (payload.startsWith("{")) return { shouldContinue: false };
  return { shouldContinue: true, delay: { seconds: pauseSeconds(unpacked(payload)) } };
}

/** Compresses a state, whose history repeats the same reasons: to about a third. */
function packed(state: string): string {
  return deflateRawSync(state, { level: 9 }).toString("base64");
}

function unpacked(payload: string): string {
  try {
    return inflateRawSync(Buffer.from(payload, "base64")).toString();
  } catch {
    throw damaged("the state of a wait");
  }
}
