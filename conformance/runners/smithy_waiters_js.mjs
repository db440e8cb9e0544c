// Plays conformance tests with the waiters of this project and the clients of the AWS SDK for JavaScript.

import { clientOf, packageOf, require, serve } from "./lines.mjs";

const { Waiter, WaiterError } = require("smithy-waiters");

const ENDS = { timed_out: "timeout", cancelled: "cancelled" };

async function play({ definition, endpoint, operation, options, params, service, waiter }) {
  const clients = packageOf(service);
  const Command = clients?.[`${operation}Command`];
  if (!Command) return { end: "unsupported", message: "no client" };
  const client = clientOf(clients, endpoint);
  const controller = new AbortController();
  const { cancelAt, maxDelay, maxWait, minDelay } = options;
  if (cancelAt === 0) controller.abort();
  else if (cancelAt) setTimeout(() => controller.abort(), cancelAt * 1000);
  const call = ({ signal }) => client.send(new Command(params), { abortSignal: signal });
  try {
    const waiting = new Waiter(definition, { name: waiter });
    const configuration = { abortSignal: controller.signal, maxDelay, maxWaitTime: maxWait, minDelay };
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

const { version } = require("smithy-waiters/package.json");
serve({ sdk: "smithy-waiters for JavaScript", version, contract: "smithy", behaviours: "acm.CertificateValidated" }, play);
