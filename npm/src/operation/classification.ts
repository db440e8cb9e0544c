/**
 * The classification of errors for retries. It recognizes the errors of `fetch`, undici, axios, the AWS SDK and Node by their
 * members, without importing these packages.
 *
 * @module
 */

import { CONNECTION, HOST_NOT_FOUND, PERMANENT, RETRYABLE, THROTTLING, TIMED_OUT } from "../constants.js";
import { EngineFailure } from "../engine/engine.js";
import { callEngine } from "../input/engine-call.js";
import { isAbort, read, textMember } from "../values/error-metadata.js";
import type { ClassifyOptions } from "./classify.js";
import { type ErrorFault, faultNumber } from "./failure-info.js";
import type { Operation } from "./operation.js";

/** Error codes and names for a failed connection in undici, axios, Bun and Deno. The engine has those of Node. */
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

/** Error codes and names for a timeout in undici, axios, Bun and Deno. The engine has those of Node. */
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

/** Matches the message of a `TypeError` that `fetch` throws without a response, in each browser and runtime. */
const FETCH_FAILED =
  /^(?:failed to fetch|fetch failed|load failed|network request failed|networkerror when attempting to fetch|the internet connection appears to be offline|the network connection was lost|error sending request|terminated)/i;

/** Matches Deno's message for a host name that does not exist, but not its message for a resolver that does not respond. */
const UNKNOWN_HOST = /dns error(?!.*(?:temporary failure in name resolution|try again))/i;

/**
 * Returns an error and its causes for a classification. The engine decides which of them counts (docs/rules.md#chains-of-causes); if
 * it knows none of them, `name` does.
 */
export function failureOf(error: unknown, { idempotent, now = Date.now(), operation }: ClassifyOptions, name = ""): EngineFailure {
  const failure = callEngine(() => new EngineFailure(name, now ?? -1, idempotent === true));
  let one = error;
  while (isObject(one) && failure.add(...partsOf(one, operation))) one = member(one, "cause");
  return failure;
}

type Parts = Parameters<EngineFailure["add"]>;

function partsOf(error: Members, operation: Operation | undefined): Parts {
  // An error while loading credentials is not an error of the service.
  if (isAbort(error) || textMember(error, "name") === "CredentialsProviderError") return ["", 0, undefined, undefined, PERMANENT];
  const meta = objectIn(error, "$metadata");
  const response = objectIn(error, "response") ?? objectIn(error, "$response") ?? error;
  const ofService = statusOf(meta, ["httpStatusCode"]);
  const headers = objectIn(response, "headers") ?? objectIn(error, "headers");
  // Without headers, the member `code` is often unrelated to HTTP.
  const names = headers === undefined ? STATUSES : [...STATUSES, "code"];
  const status = ofService || statusOf(response, names) || statusOf(error, names);
  const code = codeOf(error, ofService >= FIRST_ERROR);
  const flags = modelFlags(error, code, operation) | transport(error);
  return [code, status, headerOf(headers, "retry-after"), headerOf(headers, "x-amz-retry-after"), flags];
}

const STATUSES = ["status", "statusCode"];

/** The first status of a service's error. A response that was interrupted has the status of a success, and the platform's code. */
const FIRST_ERROR = 300;

/** Returns the first of these members that is a status, or 0. */
function statusOf(holder: Members | undefined, names: readonly string[]): number {
  for (const name of names) {
    const status = holder && member(holder, name);
    if (Number.isInteger(status) && (status as number) >= 100 && (status as number) < 600) return status as number;
  }
  return 0;
}

/**
 * Returns the name of a service error, or the platform's code. The AWS SDK also names reset connections `TimeoutError`.
 */
function codeOf(error: Members, ofService: boolean): string {
  const [name, code] = [textMember(error, "name"), textMember(error, "code")];
  if (ofService || member(error, "$fault") !== undefined) return name;
  return code === "" ? name : code;
}

/**
 * Returns the traits of an error: those in the model of the operation, or else those that generated clients add to their errors.
 */
function modelFlags(error: Members, code: string, operation: Operation | undefined): number {
  const modeled = operation && code !== "" ? operation.errorFlags(code) : 0;
  if (modeled !== 0) return modeled;
  const fault = faultNumber(textMember(error, "$fault") as ErrorFault) ?? 0;
  if (isOfService(error)) return 0;
  const retryable = member(error, "$retryable");
  if (retryable === undefined || retryable === null) return fault;
  const throttling = isObject(retryable) && member(retryable, "throttling") === true;
  return fault | RETRYABLE | (throttling ? THROTTLING : 0);
}

/**
 * Returns `true` if an error of the AWS SDK is an instance of the service's base class, which is two classes below `Error`. The
 * model does not define such an error.
 */
function isOfService(error: Members): boolean {
  const above = Object.getPrototypeOf;
  return read(() => above(above(above(error)))) === Error.prototype;
}

/** Returns the flag of a transport error; 0 if the error is not one. */
function transport(error: Members): number {
  const [name, code, message] = [textMember(error, "name"), textMember(error, "code"), textMember(error, "message")];
  // Axios uses this code for aborts and timeouts. The message of a timeout can be configured.
  if (code === "ECONNABORTED" && member(error, "isAxiosError") === true && message !== "Request aborted") return TIMED_OUT;
  // An untrusted certificate is not retried. If there is a cause, it is classified instead.
  const mayBeTls = (name === "TypeError" && FETCH_FAILED.test(message)) || code === "ERR_NETWORK";
  if (mayBeTls) {
    if (objectIn(error, "cause") !== undefined || /certificate/i.test(message)) return 0;
    return UNKNOWN_HOST.test(message) ? HOST_NOT_FOUND : CONNECTION;
  }
  // Axios reports an interrupted body this way.
  if (code === "ERR_BAD_RESPONSE" && message === "stream has been aborted") return CONNECTION;
  if (TIMEOUT_NAMES.has(code) || (code === "" && TIMEOUT_NAMES.has(name))) return TIMED_OUT;
  return CONNECTION_NAMES.has(code) || CONNECTION_NAMES.has(name) ? CONNECTION : 0;
}

/** Returns a header from `Headers`, the headers of axios, or an object; the first one if it is repeated. */
function headerOf(headers: Members | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  const header = read(() => valueOf(headers, name));
  const value: unknown = Array.isArray(header) ? header[0] : header;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function valueOf(headers: Members, name: string): unknown {
  const get = member(headers, "get");
  if (typeof get === "function") return get.call(headers, name);
  const value = member(headers, name);
  if (value !== undefined) return value;
  const key = Object.keys(headers).find((header) => header.toLowerCase() === name);
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

/** Returns a member; `undefined` if its getter throws. */
function member(holder: Members, name: string): unknown {
  return read(() => holder[name]);
}
