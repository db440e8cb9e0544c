/**
 * What is known of an error: of fetch, undici, axios, the AWS SDK and Node itself, by their shapes. None is imported.
 *
 * @module
 */

import { callEngine } from "../engine/call.js";
import { CONNECTION, HOST_NOT_FOUND, IDEMPOTENT, RETRYABLE, THROTTLING, TIMED_OUT } from "../engine/constants.js";
import { EngineFailure } from "../engine/engine.js";
import { checkBoolean, checkNames } from "../values/checks.js";
import { type Classified, type ErrorFault, faultNumber, noteOf, UNKNOWN, unpack } from "./failure-info.js";
import { checkOperation, Operation } from "./operation.js";

/** How an error is read. */
export interface ClassifyOptions {
  /** Whether the request may be repeated without harm; false without it. */
  readonly idempotent?: boolean | undefined;
  /**
   * The time in milliseconds since 1970, which a date in `Retry-After` is held against: the system's without it. Null says that
   * it is not known; a date is then ignored.
   */
  readonly now?: number | null | undefined;
  /** The operation, whose model says which errors are retryable. */
  readonly operation?: Operation | undefined;
}

/** How far a chain of causes is followed. */
const LONGEST_CHAIN = 10;

/** Codes and names of a connection that failed, beside those that the engine knows: undici's, axios's, Bun's, Deno's. */
const CONNECTION_NAMES = new Set([
  "BrokenPipe",
  "ConnectionAborted",
  "ConnectionClosed",
  "ConnectionRefused",
  "ConnectionReset",
  "ERR_HTTP2_INVALID_SESSION",
  "ERR_HTTP2_SESSION_ERROR",
  "ERR_HTTP2_STREAM_ERROR",
  "ERR_STREAM_PREMATURE_CLOSE",
  "FailedToOpenSocket",
  "NotConnected",
  "UND_ERR_CLOSED",
  "UND_ERR_SOCKET",
  "UnexpectedEof",
]);

/** The same of an answer that did not come in time. */
const TIMEOUT_NAMES = new Set([
  "ERR_SOCKET_CONNECTION_TIMEOUT",
  "ESOCKETTIMEDOUT",
  "RequestTimeout",
  "TimedOut",
  "Timeout",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/** What the `TypeError` of a fetch says that got no response, in each of the browsers and runtimes. */
const FETCH_FAILED =
  /^(?:failed to fetch|fetch failed|load failed|network request failed|networkerror when attempting to fetch|the internet connection appears to be offline|the network connection was lost|error sending request|terminated)/i;

/** Deno's message for a host name that does not resolve; a resolver that does not answer is another matter. */
const UNKNOWN_HOST = /dns error(?!.*(?:temporary failure in name resolution|try again))/i;

/**
 * Says what an error means for a retry: the exception that a call threw, of fetch, undici, axios, the AWS SDK, Node; or a
 * `Response` of fetch, or an error that has one as its `response`.
 *
 * Of an error of which nothing is known nothing is said, and no strategy retries it. An abort is never retried.
 *
 * Clauses: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors),
 * [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
 *
 * @example
 * ```js
 * const response = await fetch(url);
 * classify(response, { idempotent: true }).retry?.safety; // "yes" for a 503
 * ```
 * @throws OptionsError for options that do not hold.
 */
export function classify(error: unknown, options: ClassifyOptions = {}): Classified {
  checkNames(options, ["idempotent", "now", "operation"]);
  checkBoolean("idempotent", options.idempotent);
  checkOperation(options.operation);
  const failure = failureOf(error, options);
  const info = failure.classify();
  failure.free();
  return { ...unpack(info), note: noteOf(info) };
}

/**
 * Reads the first error of a chain of causes of which anything is known; an abort is like an unknown error. An unknown error is
 * classified by its `name`.
 */
export function failureOf(error: unknown, { idempotent, now = Date.now(), operation }: ClassifyOptions, name = ""): EngineFailure {
  const flags = idempotent === true ? IDEMPOTENT : 0;
  for (const one of chain(error)) {
    // What keeps credentials from being loaded is not the service's.
    if (isAbort(one) || textIn(one, "name") === "CredentialsProviderError") break;
    const failure = callEngine(() => new EngineFailure(...partsOf(one, flags, now ?? -1, operation)));
    if (failure.classify() !== UNKNOWN) return failure;
    failure.free();
  }
  return callEngine(() => new EngineFailure(name, 0, undefined, undefined, -1, 0));
}

/** An error and its causes. */
function* chain(error: unknown): Generator<Members> {
  let one = error;
  for (let depth = 0; depth < LONGEST_CHAIN && isObject(one); depth++) {
    yield one;
    one = member(one, "cause");
  }
}

function partsOf(error: Members, flags: number, now: number, operation: Operation | undefined): ConstructorParameters<typeof EngineFailure> {
  const meta = objectIn(error, "$metadata");
  const response = objectIn(error, "response") ?? objectIn(error, "$response") ?? error;
  const status = statusOf(meta, ["httpStatusCode"]) || statusOf(response, STATUSES) || statusOf(error, STATUSES);
  const code = codeOf(error, meta !== undefined && status !== 0);
  const headers = objectIn(response, "headers") ?? objectIn(error, "headers");
  const known = flags | modelFlags(error, code, operation) | (status === 0 ? transport(error) : 0);
  return [code, status, headerOf(headers, "retry-after"), headerOf(headers, "x-amz-retry-after"), now, known];
}

const STATUSES = ["status", "statusCode"];

/** The status of a failure, else 0: an answer that broke off says that all is well. */
function statusOf(holder: Members | undefined, names: readonly string[]): number {
  for (const name of names) {
    const status = holder && member(holder, name);
    if (typeof status === "number" && status >= 300 && status < 600) return status;
  }
  return 0;
}

/** A service's name for the error, else the platform's code: the AWS SDK calls a reset connection a timeout, too. */
function codeOf(error: Members, ofService: boolean): string {
  const [name, code] = [textIn(error, "name"), textIn(error, "code")];
  if (ofService || member(error, "$fault") !== undefined) return name;
  return code === "" ? name : code;
}

/** What the model says of an error: the operation's where it is given, else what generated clients have on their errors. */
function modelFlags(error: Members, code: string, operation: Operation | undefined): number {
  const known = operation && code !== "" ? Operation.errorOf(operation, code) : 0;
  if (known !== 0) return known;
  const fault = faultNumber(textIn(error, "$fault") as ErrorFault) ?? 0;
  if (isOfService(error)) return 0;
  const retryable = member(error, "$retryable");
  if (retryable === undefined || retryable === null) return fault;
  const throttling = isObject(retryable) && member(retryable, "throttling") === true;
  return fault | RETRYABLE | (throttling ? THROTTLING : 0);
}

/** Whether an error of the AWS SDK is of its service's base class, two below `Error`: the model has none of its name. */
function isOfService(error: Members): boolean {
  const above = Object.getPrototypeOf;
  return read(() => above(above(above(error)))) === Error.prototype;
}

/** Whether there was no response. */
function transport(error: Members): number {
  const [name, code, message] = [textIn(error, "name"), textIn(error, "code"), textIn(error, "message")];
  // Axios gives both the same code; the words of a timeout may be its caller's.
  if (code === "ECONNABORTED" && member(error, "isAxiosError") === true && message !== "Request aborted") return TIMED_OUT;
  // With a cause the cause says why: a certificate that is not trusted is none to retry.
  const mayBeTls = (name === "TypeError" && FETCH_FAILED.test(message)) || code === "ERR_NETWORK";
  if (mayBeTls) {
    if (objectIn(error, "cause") !== undefined || /certificate/i.test(message)) return 0;
    return UNKNOWN_HOST.test(message) ? HOST_NOT_FOUND : CONNECTION;
  }
  // Axios again: the body broke off.
  if (code === "ERR_BAD_RESPONSE" && message === "stream has been aborted") return CONNECTION;
  if (TIMEOUT_NAMES.has(code) || (code === "" && TIMEOUT_NAMES.has(name))) return TIMED_OUT;
  return CONNECTION_NAMES.has(code) || CONNECTION_NAMES.has(name) ? CONNECTION : 0;
}

function isAbort(error: Members): boolean {
  return textIn(error, "name") === "AbortError" || textIn(error, "code") === "ERR_CANCELED";
}

/** A header, of `Headers`, axios's headers, or an object of them; several of the same are one text. */
function headerOf(headers: Members | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  const header = read(() => valueOf(headers, name));
  const value: unknown = Array.isArray(header) ? header[0] : header;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function valueOf(headers: Members, name: string): unknown {
  const get = member(headers, "get");
  if (typeof get === "function") return get.call(headers, name);
  const own = member(headers, name);
  if (own !== undefined) return own;
  const key = Object.keys(headers).find((own) => own.toLowerCase() === name);
  return key === undefined ? undefined : member(headers, key);
}

type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function objectIn(holder: Members, name: string): Members | undefined {
  const value = member(holder, name);
  return isObject(value) ? value : undefined;
}

function textIn(holder: Members, name: string): string {
  const value = member(holder, name);
  return typeof value === "string" ? value : "";
}

/** A member; one that cannot be read is not there. */
function member(holder: Members, name: string): unknown {
  return read(() => holder[name]);
}

function read(value: () => unknown): unknown {
  try {
    return value();
  } catch {
    return undefined;
  }
}
