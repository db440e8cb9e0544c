// Plays conformance tests with the waiters of this project and the clients of the AWS SDK for JavaScript.

import { clientOf, packageOf, require, serve } from "./lines.mjs";

const { loadRestJsonErrorCode } = require("@aws-sdk/core/protocols");
const { Waiter, WaiterError } = require("smithy-waiters");

const ENDS = { timed_out: "timeout", cancelled: "cancelled" };

async function play({ definition, endpoint, operation, options, params, service, suite, waiter }) {
  const call = suite === "core" ? callerOfCore(operation, endpoint, params) : callerOf(service, operation, endpoint, params);
  if (!call) return { end: "unsupported", message: `no client for ${service.botocore}` };
  const controller = new AbortController();
  const { cancelAt, maxDelay, maxWait, minDelay } = options;
  if (cancelAt === 0) controller.abort();
  else if (cancelAt) setTimeout(() => controller.abort(), cancelAt * 1000);
  try {
    const waiting = new Waiter(definition, { name: waiter });
    const times = { maxDelay, maxWaitTime: maxWait, minDelay };
    // Two requests are enough for a verdict on the synthetic service.
    const limit = suite === "core" ? { maxAttempts: 2 } : {};
    const configuration = { abortSignal: controller.signal, input: params, ...times, ...limit };
    const { result } = await waiting.wait(call, configuration);
    return { end: "success", carries: [result === "response" ? "lastOutput" : "lastError"] };
  } catch (error) {
    const message = `${error.name}: ${error.message}`.slice(0, 300);
    if (!(error instanceof WaiterError)) return { end: "error", message };
    const carries = Object.entries({ lastOutput: error.response, lastError: error.error });
    const given = carries.filter(([, value]) => value !== undefined && value !== null).map(([kind]) => kind);
    return { end: ENDS[error.code] ?? "failure", message, carries: given };
  }
}

/** Returns the call of an operation with a client, or undefined if there is no client. */
function callerOf(service, operation, endpoint, params) {
  const clients = packageOf(service);
  const Command = clients?.[`${operation}Command`];
  if (!Command) return undefined;
  const client = clientOf(clients, endpoint);
  return ({ signal }) => client.send(new Command(params), { abortSignal: signal });
}

/** Returns a call of the synthetic service, which has no client. Its answer has the types of a client. */
function callerOfCore(operation, endpoint, { id, ...input }) {
  const method = operation === "CancelJob" ? "DELETE" : "POST";
  return async ({ signal }) => {
    const response = await fetch(`${endpoint}/jobs/${id}`, { body: JSON.stringify(input), method, signal });
    const text = await response.text();
    const { job_kind: kind, started, digest, ...output } = text ? JSON.parse(text) : {};
    if (!response.ok) {
      const name = loadRestJsonErrorCode({ headers: Object.fromEntries(response.headers) }, output) ?? "Unknown";
      throw Object.assign(new Error(output.message), { name, $metadata: { httpStatusCode: response.status } });
    }
    if (kind !== undefined) output.kind = kind;
    if (started) output.started = new Date(started * 1000);
    if (digest) output.digest = Buffer.from(digest, "base64");
    return output;
  };
}

const { version } = require("smithy-waiters/package.json");
serve({ sdk: "smithy-waiters for JavaScript", version, contract: "smithy", behaviours: "acm.CertificateValidated" }, play);
