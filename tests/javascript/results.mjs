/** Converts results of the package to the common format of all runners. */

import assert from "node:assert/strict";
import { WaiterAttemptsExceeded, WaiterCancelled, WaiterFailed, WaiterTimeout } from "smithy-waiters";

import { messageOf } from "./values.mjs";

/** The class and the name of each failure. */
const FAILURES = {
  cancelled: [WaiterCancelled, "AbortError"],
  failure_state: [WaiterFailed, "WaiterFailed"],
  timed_out: [WaiterTimeout, "TimeoutError"],
  too_many_attempts: [WaiterAttemptsExceeded, "WaiterAttemptsExceeded"],
  gone: [WaiterFailed, "WaiterFailed"],
  never_found: [WaiterFailed, "WaiterFailed"],
  never_left: [WaiterFailed, "WaiterFailed"],
  never_seen: [WaiterFailed, "WaiterFailed"],
  replaced: [WaiterFailed, "WaiterFailed"],
  unexpected_state: [WaiterFailed, "WaiterFailed"],
  unmatched_error: [WaiterFailed, "WaiterFailed"],
  unreachable: [WaiterFailed, "WaiterFailed"],
};

const OPTION_NAMES = { maxWaitTime: "maxWait" };

/** Converts an error of the expected class. Throws any other error again. */
export function refusal(error, expected) {
  if (!(error instanceof expected)) throw error;
  assert.equal(error.name, expected.name);
  const told = { class: error.name, code: error.code, message: error.message };
  if ("path" in error) told.path = error.path;
  if ("column" in error) told.column = error.column ?? null;
  if ("option" in error) {
    told.option = OPTION_NAMES[error.option] ?? error.option;
    told.message = error.message.replaceAll("`maxWaitTime`", "`maxWait`");
  }
  return { error: told };
}

export const hint = ({ code, text }) => ({ code, text: text.replaceAll("`maxWaitTime`", "`maxWait`") });

export function step(taken) {
  const { type, attempt, deadlineMs, untilMs, last } = taken;
  if (type === "call") return { type, attempt, deadlineMs: finite(deadlineMs) };
  if (type === "sleep") return { type, untilMs, last };
  const { code, message, elapsedMs, noticedWithinMs, lastResult } = taken;
  const times = { elapsedMs, noticedWithinMs: noticedWithinMs ?? null };
  return { type, report: { code: code ?? null, message, ...times, lastResult: lastResult ?? null, ...toldByAll(taken) } };
}

/** Converts an unlimited time to null. */
export function finite(time) {
  return Number.isFinite(time) ? time : null;
}

export function outcome(ended) {
  return { outcome: { elapsedMs: millis(ended.elapsed), ...toldByAll(ended), ...seen(ended) } };
}

export function failure(ended, reason, explained) {
  const [expected, name] = FAILURES[ended.code] ?? [];
  if (expected === undefined) throw ended;
  assert.ok(ended instanceof expected);
  assert.equal(ended.name, name);
  const isCancelled = ended.code === "cancelled";
  if ("cause" in ended) assert.equal(ended.cause, isCancelled ? reason : ended.error);
  else assert.ok(!isCancelled);
  const { code, message, waiter } = ended;
  const cause = "cause" in ended && !isCancelled ? messageOf(ended.cause) : null;
  const told = { code, message, cause, waiter: waiter ?? null, elapsedMs: millis(ended.elapsed) };
  if (explained) told.explanation = ended.explain();
  return { failure: { ...told, ...toldByAll(ended), ...seen(ended) } };
}

export function reasons(given) {
  return given.map(({ acceptor, matched, code, text }) => ({ acceptor: acceptor ?? null, matched, code, text }));
}

export function millis(seconds) {
  return Math.round(seconds * 1000);
}

/** Converts a value to JSON that is equal in all languages: numbers that doubles cannot represent become their digits. */
export function exact(value) {
  if (typeof value === "bigint") return { integer: String(value) };
  if (value?.type === "bigDecimal") return { decimal: value.string };
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exact(member)]));
}

function toldByAll({ acceptor, acceptorText, attempts, history }) {
  return {
    acceptor: acceptor ?? null,
    acceptorText: acceptorText ?? null,
    attempts,
    history: history.map(record),
  };
}

function seen({ response, error }) {
  return { response: response ?? null, error: messageOf(error) };
}

function record({ attempt, startedMs, endedMs, result, error, state, acceptor, reasons: given, values, delayMs, nextIsLast }) {
  return {
    attempt,
    startedMs,
    endedMs,
    result,
    error: error ?? null,
    state: state ?? null,
    acceptor: acceptor ?? null,
    reasons: reasons(given),
    ...(values.length > 0 && { values }),
    delayMs: delayMs ?? null,
    nextIsLast,
  };
}
