// Plays conformance tests with the AWS SDK for JavaScript and its own waiters.

import { clientOf, packageOf, require, serve } from "./lines.mjs";

async function play({ endpoint, options, params, service, waiter }) {
  const clients = packageOf(service);
  if (!clients) return { end: "unsupported", message: `no client for ${service.botocore}` };
  const waitUntil = clients[`waitUntil${waiter}`];
  if (!waitUntil) return { end: "unsupported", message: "no such waiter" };
  const controller = new AbortController();
  const { cancelAt, maxDelay, maxWait, minDelay } = options;
  if (cancelAt === 0) controller.abort();
  else if (cancelAt) setTimeout(() => controller.abort(), cancelAt * 1000);
  const configuration = {
    abortSignal: controller.signal,
    client: clientOf(clients, endpoint),
    // Clients of 2025 accept no delay below a second.
    maxDelay: Math.max(1, maxDelay),
    maxWaitTime: maxWait,
    minDelay: Math.max(1, minDelay),
  };
  try {
    const { reason } = await waitUntil(configuration, params);
    return { end: "success", carries: [reason instanceof Error ? "lastError" : "lastOutput"] };
  } catch (error) {
    const message = `${error.name}: ${error.message}`.slice(0, 300);
    if (error.name === "TimeoutError") return { end: "timeout", message };
    if (error.name === "AbortError") return { end: "cancelled", message };
    // A failure is an `Error` whose message is the result as JSON.
    const parsed = parse(error.message);
    const result = parsed?.result ?? parsed;
    if (result?.state !== "FAILURE") return { end: "error", message };
    return { end: "failure", message, carries: [result.reason?.$fault ? "lastError" : "lastOutput"] };
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const { version } = require("@aws-sdk/client-dynamodb/package.json");
serve({ sdk: "AWS SDK for JavaScript", version, contract: "smithy", behaviours: "acm.CertificateValidated" }, play);
