/** Runs each kind of vector. */

import assert from "node:assert/strict";
import { DefinitionError, delay as delayOf, ExpressionError, OptionsError, search as searchIn, Waiter } from "smithy-waiters";

import { classify, compress, operation, pageSize, paginate, request, retry } from "./behaviours.mjs";
import { callbacks, sleeps } from "./driving.mjs";
import { fleet } from "./fleets.mjs";
import { errorOf, resolve } from "./values.mjs";
import { requestSteps, walk } from "./machines.mjs";
import * as results from "./results.mjs";
import { atEveryCommand, cancelAtEveryCommand, resultOf, resume, withoutHistory } from "./saved.mjs";
import { Service } from "./service.mjs";
import { fleetWaits, several } from "./several.mjs";
import { hostArguments, hostOptionsOf, pollRecords, stored } from "./stored.mjs";
import { storedFleet } from "./stored-fleet.mjs";
import { VirtualTime } from "./virtual-time.mjs";
import { hostOptions, start, waiterOf } from "./waiters.mjs";

const KINDS = {
  callbacks,
  classify,
  compress,
  defaults,
  definition,
  delay,
  delays,
  evaluate,
  extend,
  fleet,
  "fleet-waits": fleetWaits,
  "host-arguments": hostArguments,
  "host-options": hostOptionsOf,
  json,
  model,
  operation,
  options,
  "page-size": pageSize,
  paginate,
  preset,
  request,
  "request-steps": requestSteps,
  resume,
  retry,
  search,
  several,
  "poll-records": pollRecords,
  sleeps,
  steps,
  stored,
  "stored-fleet": storedFleet,
  until,
  wait,
  walk,
};

/** The ways to wait for a call. Both have equal ends. */
const DRIVERS = [
  (waiter, call, options) => waiter.wait(call, options),
  async (waiter, call, options) => {
    const attempts = waiter.attempts(call, options);
    for await (const attempt of attempts) assert.ok(attempt.attempt > 0);
    return attempts.outcome;
  },
];

/** Returns the package's result for a vector of a file. */
export function run(vector, file) {
  return KINDS[vector.kind](vector, file);
}

function definition({ definition: given, definitionText, name }) {
  try {
    const waiter = new Waiter(resolve(definitionText === undefined ? given : definitionText), { name });
    return { valid: described(waiter) };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function model({ model: given, modelText, waiterName, service }, { models }) {
  const named = typeof given === "string" ? models[given] : given;
  try {
    const waiter = Waiter.fromModel(modelText === undefined ? named : resolve(modelText), waiterName, { service });
    return { valid: described(waiter) };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function preset({ preset: name, responses }) {
  try {
    const waiter = Waiter.preset(name);
    return { states: responses.map((response) => waiter.evaluate({ response }).state) };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function until({ until: { expression, expected, ...options }, responses }) {
  // In a vector, a missing expression represents a predicate function.
  const make = () => Waiter.until(expression ?? (() => true), expected, options);
  const result = withDefinition(make);
  if (result.definition === undefined || responses === undefined) return result;
  const [waiter, again] = [make(), new Waiter(result.definition)];
  const verdicts = responses.map((response) => {
    const { state, reasons } = waiter.evaluate({ response });
    // The definition alone decides as the goals do.
    assert.equal(again.evaluate({ response }).state, state, JSON.stringify(response));
    return { state, reasons: reasons.map(({ text }) => text) };
  });
  return { ...result, verdicts };
}

function defaults(vector, file) {
  const { expression, expected, ...options } = vector.until ?? {};
  const waiter = vector.until ? Waiter.until(expression ?? (() => true), expected, options) : waiterOf(vector, file);
  return { defaults: (vector.extension ? waiter.extend(vector.extension) : waiter).defaults };
}

function extend(vector, file) {
  return withDefinition(() => waiterOf(vector, file).extend(resolve(vector.extension)));
}

/** Returns the definition, from which an equal waiter can be created. */
function withDefinition(make) {
  try {
    const { definition, name } = make();
    assert.deepStrictEqual(new Waiter(definition, { name }).definition, definition);
    return { definition };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function described(waiter) {
  return {
    name: waiter.name ?? null,
    documentation: waiter.documentation ?? null,
    deprecated: waiter.deprecated,
    tags: [...waiter.tags],
    redact: [...waiter.redact],
    minDelayMs: results.millis(waiter.minDelay),
    maxDelayMs: results.millis(waiter.maxDelay),
    acceptors: [...waiter.acceptors],
  };
}

function evaluate(vector, file) {
  const seen = "error" in vector ? { error: errorOf(vector.error) } : { response: resolve(vector.response) };
  const verdict = waiterOf(vector, file).evaluate(seen, { input: resolve(vector.input) });
  return { state: verdict.state, acceptor: verdict.acceptor ?? null, reasons: results.reasons(verdict.reasons) };
}

function delay(vector) {
  const { attempt, remaining, minDelay, maxDelay, random } = resolve(vector);
  try {
    return delayOf({ attempt, remaining, minDelay, maxDelay, random }) ?? null;
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

/** Returns the delays between calls that take no time, one for each random number. */
function delays({ maxWait, minDelay, maxDelay, randoms }) {
  let remaining = maxWait;
  return randoms.map((random, made) => {
    const next = delay({ attempt: made + 1, remaining, minDelay, maxDelay, random });
    remaining -= next.delay;
    return next;
  });
}

function search({ expression, value }) {
  try {
    return { result: searchIn(resolve(expression), resolve(value)) };
  } catch (error) {
    return results.refusal(error, ExpressionError);
  }
}

/** Returns the steps up to the first response, which no acceptor matches. */
function options(vector, file) {
  const waiter = waiterOf(vector, file);
  let wait;
  try {
    wait = start(waiter, vector);
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
  let now = 0;
  let step = wait.poll(now);
  const steps = [step];
  while (step.type === "sleep") {
    now = step.untilMs;
    steps.push((step = wait.poll(now)));
  }
  // A second poll does not fit into a millisecond.
  if (step.type === "call" && step.deadlineMs > now + 1) steps.push(wait.handle({ type: "response", response: null }, now));
  wait.free();
  return { steps: steps.map(results.step) };
}

/** Returns the steps of a wait. Saving and resuming it before each command must only change the history. */
function steps(vector, file) {
  const waiter = waiterOf(vector, file);
  const wait = start(waiter, vector);
  const summaries = [];
  const logs = [];
  const taken = vector.commands.map((command) => {
    const step = resultOf(wait, command);
    summaries.push(wait.summary ?? null);
    logs.push({ level: wait.level ?? null, hints: wait.hints.map(results.hint) });
    return step;
  });
  wait.free();
  assert.deepStrictEqual(withoutHistory(atEveryCommand(waiter, vector)), withoutHistory(taken));
  cancelAtEveryCommand(waiter, vector);
  if (vector.logs) return taken.map((step, index) => ({ ...step, ...logs[index] }));
  return vector.summaries ? taken.map((step, index) => ({ ...step, summary: summaries[index] })) : taken;
}

async function wait(vector, file) {
  const reason = new Error("the caller cancels");
  const ends = DRIVERS.map(async (driver) => {
    const { ended, service } = await endOf(vector, file, reason, results.outcome, (error) => results.failure(error, reason, vector.explain), driver);
    return { ...ended, ...service.seen() };
  });
  const [end, ...others] = await Promise.all(ends);
  for (const other of others) assert.deepStrictEqual(other, end);
  return end;
}

/** Returns the JSON text of the end of a wait. */
async function json(vector, file) {
  const { ended } = await endOf(vector, file, null, JSON.stringify, JSON.stringify);
  return { text: ended };
}

/** Runs a wait, and returns its end as `ofOutcome` or `ofFailure` converts it. */
async function endOf(vector, file, reason, ofOutcome, ofFailure, driver = DRIVERS[0]) {
  const time = new VirtualTime();
  const controller = new AbortController();
  const abort = () => controller.abort(reason);
  const service = new Service(vector.script, time, abort);
  const { clock, sleep } = time;
  time.abortAt(vector.cancelAt, abort);
  const host = { input: resolve(vector.input), abortSignal: controller.signal, clock, sleep };
  const waiting = driver(waiterOf(vector, file), service.call, { ...hostOptions(vector), ...host });
  return { ended: await time.run(waiting.then((outcome) => ofOutcome(outcome), (error) => ofFailure(error))), service };
}
