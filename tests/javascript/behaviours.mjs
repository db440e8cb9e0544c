/** Runs the vectors for retries, pagination, compression and idempotency. */

import assert from "node:assert/strict";
import {
  classify as classifyError,
  DefinitionError,
  Operation,
  OptionsError,
  PaginationError,
  Paginator,
  RequestCompression,
  retry as retryCall,
  RetryError,
  RetryQuota,
  RetryRefusal,
  StandardRetryStrategy,
  TokenError,
} from "smithy-waiters";

import { failureOf } from "./failures.mjs";
import { resolve } from "./values.mjs";
import * as results from "./results.mjs";
import { Service } from "./service.mjs";
import { VirtualTime } from "./virtual-time.mjs";
import { waiterOf } from "./waiters.mjs";

/** The current time of every vector, for dates in `Retry-After`: 1994-11-06T08:49:07Z. */
const DATE = 784_111_747_000;

export function strategyOf(options, quotas = {}) {
  const { quota, ...own } = resolve(options);
  return new StandardRetryStrategy({ seed: 0, ...own, ...(quota !== undefined && { quota: quotas[quota] }) });
}

export function retry({ quotas, strategies, commands }) {
  let made;
  try {
    const shared = mapped(quotas ?? {}, ({ capacity }) => new RetryQuota(capacity));
    made = mapped(strategies, (options) => strategyOf(options, shared));
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
  const tokens = {};
  return commands.map((command) => {
    const strategy = made[command.by];
    return { ...taken(strategy, tokens, command), available: strategy.quota?.available ?? null };
  });
}

function taken(strategy, tokens, { acquire, refresh, success, failure, as }) {
  try {
    if (success !== undefined) {
      strategy.recordSuccess(tokens[success]);
      return {};
    }
    const token = acquire === undefined ? strategy.refreshRetryToken(tokens[refresh], infoOf(resolve(failure))) : strategy.acquireInitialToken();
    tokens[as ?? acquire ?? refresh] = token;
    return { delayMs: results.millis(token.delay), retries: token.retries };
  } catch (error) {
    if (error instanceof RetryRefusal) return { refused: { code: error.code, message: error.message } };
    return results.refusal(error, error instanceof OptionsError ? OptionsError : TokenError);
  }
}

function infoOf({ fault, safety, throttle, timeout, retryAfter }) {
  return { fault, retry: safety === undefined ? undefined : { safety, throttle, timeout, retryAfter } };
}

export function classify({ failure, idempotent }) {
  const now = failure.now === undefined ? null : failure.now * 1000;
  const { retry, fault, note } = classifyError(failureOf(failure), { idempotent, now });
  return {
    safety: retry?.safety ?? null,
    throttle: retry?.throttle ?? false,
    timeout: retry?.timeout ?? false,
    retryAfter: retry?.retryAfter ?? null,
    fault: fault ?? null,
    note: note ?? null,
  };
}

/** A custom strategy, which issues the tokens of a script and records its calls. */
class ScriptedStrategy {
  calls = [];
  #tokens;

  constructor(tokens) {
    this.#tokens = tokens.entries();
  }

  acquireInitialToken() {
    return this.#issue("acquire");
  }

  refreshRetryToken({ number }) {
    return this.#issue("refresh", number);
  }

  recordSuccess({ number }) {
    this.calls.push({ call: "record", token: number });
  }

  releaseToken({ number }) {
    this.calls.push({ call: "release", token: number });
  }

  #issue(call, token = null) {
    this.calls.push({ call, token });
    const [number, { delay, refused }] = this.#tokens.next().value;
    if (refused) throw new RetryRefusal(refused.message, refused.code);
    return { number, delay };
  }
}

export async function request(vector, file) {
  const time = new VirtualTime();
  const service = new Service(vector.script, time);
  const strategy = vector.tokens ? new ScriptedStrategy(vector.tokens) : strategyOf(vector.retry);
  const failures = [];
  const { clock, sleep } = time;
  const { idempotent, maxTime, definition, model, operation } = vector;
  let thrown;
  const call = async (attempt) => {
    try {
      return await service.call(attempt);
    } catch (error) {
      throw (thrown = error);
    }
  };
  const making = retryCall(call, {
    strategy,
    idempotent,
    operation: operation && Operation.fromModel(file.models[model], operation),
    maxTime,
    policy: definition === undefined ? undefined : waiterOf(vector, file),
    input: resolve(vector.input),
    date: () => DATE,
    onFailure: (progress) => failures.push(progress),
    abortSignal: time.abortedAt(vector.cancelAt, new Error("the caller cancels")),
    clock,
    sleep,
  });
  const ended = await time.run(making.then((response) => came(response, thrown), (error) => failed(error, failures.at(-1))));
  const told = failures.map(({ attempt, error, delay, end, reason, note, elapsed }) => ({
    attempt,
    error: error?.message ?? null,
    delayMs: delay === undefined ? null : results.millis(delay),
    end: end ?? null,
    reason: reason ?? null,
    note: note?.code ?? null,
    elapsedMs: results.millis(elapsed),
  }));
  const { calls } = strategy;
  return { ...ended, ...service.seen(), failures: told, ...(calls && { strategy: calls }), available: strategy.quota?.available ?? null };
}

/** Returns the result of a request. A policy may accept an error as a success, which the vectors omit. */
function came(response, thrown) {
  return response === undefined ? { error: thrown.message } : { response };
}

/** Returns the reason of the request's own error, or the end that was reported for its last attempt. */
function failed(error, last) {
  if (error instanceof RetryError) {
    const { code, message, attempts } = error;
    return { failed: { code, message, attempts, error: error.error?.message ?? null, response: error.response ?? null } };
  }
  assert.equal(last.error, error);
  return { failed: { code: last.end, message: last.reason, attempts: last.attempt, error: error.message, response: null } };
}

/** Thrown when the script ends before the walk. */
const MORE = new Error("more");

export async function paginate(vector, { models }) {
  const { paginated, model, operation, service, paging = {}, input, pages } = resolve(vector);
  let paginator;
  try {
    paginator =
      operation === undefined ? new Paginator(typeof paginated === "string" ? JSON.stringify(paginated) : paginated) : Paginator.fromModel(models[model] ?? model, operation, { service });
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
  if (pages === undefined) return { valid: { inputToken: paginator.inputToken, pageSize: paginator.pageSize ?? null } };
  const { maxItems, pageSizes, ...walk } = paging;
  const pageSize = pageSizes && ((page) => pageSizes[Math.min(page, pageSizes.length) - 1]);
  const inputs = [];
  const items = [];
  const call = (sent) => {
    if (inputs.length === pages.length) throw MORE;
    inputs.push(results.exact(sent));
    return pages[inputs.length - 1];
  };
  const before = structuredClone(input);
  const ended = (end) => {
    assert.deepStrictEqual(input, before);
    return { inputs, items, end };
  };
  try {
    for await (const item of walked(paginator, call, input, { maxItems, pageSize, ...walk })) items.push(item);
  } catch (error) {
    if (error === MORE) return ended("more");
    if (error instanceof PaginationError) return ended({ code: error.code, message: error.message });
    return results.refusal(error, OptionsError);
  }
  return ended(items.length === maxItems ? "limit" : "done");
}

/** Returns the page size of the first request for each size, which the caller passes as a value and as a function. */
export async function pageSize({ paginated, model, operation, sizes }, { models }) {
  const paginator = operation === undefined ? new Paginator(paginated) : Paginator.fromModel(models[model], operation);
  const of = async (pageSize) => {
    try {
      let size = null;
      const call = (input) => {
        size = input[paginator.pageSize] ?? null;
        return {};
      };
      await paginator.pages(call, undefined, { pageSize }).next();
      return { size };
    } catch (error) {
      return results.refusal(error, OptionsError);
    }
  };
  return Promise.all(
    sizes.map(async (given) => {
      const size = resolve(given);
      const result = await of(size);
      // Without a page size, a function is an error whatever it returns.
      if (paginator.pageSize !== undefined) assert.deepStrictEqual(await of(() => size), result);
      return result;
    }),
  );
}

/** Yields the items, or nothing if the definition does not have `items`. */
async function* walked(paginator, call, input, { maxItems, ...walk }) {
  try {
    yield* paginator.items(call, input, { maxItems, ...walk });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    for await (const _ of paginator.pages(call, input, walk));
  }
}

export async function compress(vector, { models }) {
  const { encodings, model, operation: name, body, client, request: own, supported, contentEncoding } = resolve(vector);
  try {
    const trait = encodings ? new RequestCompression(encodings) : Operation.fromModel(models[model], name).compression;
    const bytes = typeof body === "number" ? body : "streaming";
    const options = { contentEncoding, requiresLength: body === "streamingOfKnownLength", ...own };
    const encoding = trait?.withSettings(client ?? {}).encodingOf(bytes, options, supported);
    return { encoding: encoding ?? null, contentEncoding: await headerOf(encoding, contentEncoding) };
  } catch (error) {
    return results.refusal(error, error instanceof OptionsError ? OptionsError : DefinitionError);
  }
}

/** Returns the header `Content-Encoding` of a compressed body. */
async function headerOf(encoding, existing) {
  if (encoding === undefined) return existing ?? null;
  const always = new RequestCompression([encoding], { requestMinCompressionSizeBytes: 0 });
  const { contentEncoding } = await always.compress("body", { contentEncoding: existing });
  return contentEncoding;
}

export function operation(vector, { models }) {
  const { model, operation: name, service, input = {}, token, errors = [] } = resolve(vector);
  try {
    const found = Operation.fromModel(models[model], name, { service });
    const sent = found.withToken(input, { source: () => token });
    return {
      input: sent,
      idempotent: found.isIdempotent(sent),
      member: found.idempotencyToken ?? null,
      errors: Object.fromEntries(errors.map((error) => [error, found.error(error) ?? null])),
    };
  } catch (error) {
    return results.refusal(error, DefinitionError);
  }
}

function mapped(object, make) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value)]));
}
