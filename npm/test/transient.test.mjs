/** Transient errors, and errors that end a wait. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { Waiter, WaiterFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, ServiceError, tableExists } from "./definitions.mjs";
import { served } from "./server.mjs";

const READY = { acceptors: [{ state: "success", matcher: { success: true } }] };
const OPTIONS = { maxWaitTime: 600, seed: 7 };

/** Waits on a fake clock with scripted results and errors; the last one is repeated. */
async function waiting(answers, options = {}, waiter = tableExists()) {
  const clock = new FakeClock();
  const call = ({ number }) => {
    const answer = answers[Math.min(number, answers.length) - 1];
    if (answer === CREATING || answer === ACTIVE) return answer;
    throw answer;
  };
  return waiter.wait(call, { ...OPTIONS, clock, ...options }).catch((error) => error);
}

const ofStatus = (status, headers = {}, name = "UnknownError") =>
  Object.assign(new ServiceError(name), { $fault: status < 500 ? "client" : "server", $metadata: { httpStatusCode: status }, $response: { statusCode: status, headers } });
const ofNode = (code) => Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" });
const ofFetch = (code) => new TypeError("fetch failed", { cause: ofNode(code) });

async function deadUrl() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/`;
}

test("an error that waiting may cure is followed by another call", async () => {
  for (const error of [
    new ServiceError("ThrottlingException"),
    ofStatus(429),
    ofStatus(500),
    ofStatus(503),
    ofStatus(429, {}, "LimitExceededException"),
    ofNode("ECONNREFUSED"),
    ofNode("EAI_AGAIN"),
    ofFetch("ECONNRESET"),
    ofFetch("UND_ERR_CONNECT_TIMEOUT"),
    new TypeError("Failed to fetch"),
    new TypeError("error sending request for url (http://x/): client error (Connect): dns error: failed to lookup address information: Temporary failure in name resolution"),
    new DOMException("the operation timed out", "TimeoutError"),
    new Response(null, { status: 502 }),
  ]) {
    const { attempts, history } = await waiting([error, ACTIVE]);
    assert.equal(attempts, 2, String(error));
    const [{ state, acceptor, reasons }] = history;
    assert.deepEqual([state, acceptor], ["retry", undefined]);
    const { code, text, ...others } = reasons.at(-1);
    assert.deepEqual([code, others.acceptor], ["transient", undefined]);
    assert.match(text, / \(transient\)$/);
  }
});

test("the call is repeated once after an error about expired credentials", async () => {
  const expired = ofStatus(403, {}, "ExpiredToken");
  const failure = await waiting([expired]);
  assert.deepEqual([failure.code, failure.attempts, failure.cause], ["unmatched_error", 2, expired]);
  assert.match(failure.message, /: the credentials have expired and were not renewed: ExpiredToken: no \(/);
});

test("an error that waiting does not fix ends the wait at once", async () => {
  for (const error of [
    ofNode("ENOTFOUND"),
    ofFetch("ENOTFOUND"),
    new TypeError("error sending request for url (http://x.invalid/): client error (Connect): dns error: failed to lookup address information: Name or service not known"),
    ofFetch("DEPTH_ZERO_SELF_SIGNED_CERT"),
    ofFetch("ERR_TLS_CERT_ALTNAME_INVALID"),
    ofNode("CERT_HAS_EXPIRED"),
    new TypeError("error sending request for url (https://x/): client error (Connect): invalid peer certificate: UnknownIssuer"),
    Object.assign(new Error("Could not load credentials from any providers"), { name: "CredentialsProviderError", tryNextLink: false }),
    ofStatus(400, {}, "LimitExceededException"),
    ofStatus(404),
    new ServiceError("AccessDenied"),
    new DOMException("aborted", "AbortError"),
    new Error("a mistake of the caller's"),
    "ThrottlingException",
    undefined,
  ]) {
    const failure = await waiting([error]);
    assert.ok(failure instanceof WaiterFailed, String(error));
    assert.deepEqual([failure.code, failure.attempts, failure.error], ["unmatched_error", 1, error]);
  }
});

test("a name that `errorNames` returns counts if nothing else is known of the error", async () => {
  const named = new Waiter(READY, { errorNames: ({ body }) => [body.code] });
  const thrown = (code) => Object.assign(new Error("no"), { body: { code } });
  assert.equal((await waiting([thrown("ThrottlingException")], { maxAttempts: 2 }, named)).code, "too_many_attempts");
  assert.equal((await waiting([thrown("AccessDenied")], { maxAttempts: 2 }, named)).code, "unmatched_error");
});

test("no call is made before `Retry-After`", async () => {
  const { elapsed } = await waiting([ofStatus(503, { "retry-after": "40" }), ACTIVE]);
  assert.equal(elapsed, 40);
});

test("a service that never answers ends the wait after the window", async () => {
  const url = await deadUrl();
  for (const [transientWindow, window] of [[undefined, 120], [10, 10]]) {
    const clock = new FakeClock();
    const error = await tableExists().wait(() => fetch(url), { ...OPTIONS, clock, transientWindow }).catch((failure) => failure);
    assert.ok(error instanceof WaiterFailed, String(error));
    assert.deepEqual([error.name, error.code, error.elapsed, clock.now], ["WaiterFailed", "unreachable", window, window]);
    assert.equal(error.cause, error.error);
    assert.equal(error.error.cause.code, "ECONNREFUSED");
    assert.match(error.message, new RegExp(`the service has not answered for ${window} s: .*\\(transient\\)$`));
    assert.equal(error.toJSON().code, "unreachable");
  }
});

test("the answers of a busy service are answers", async () => {
  assert.equal((await waiting([ofStatus(503)], { transientWindow: 15 })).code, "timed_out");
});

test("a real service that throttles is waited for", async () => {
  const answer = { body: { Table: { TableStatus: "ACTIVE" } } };
  await served([{ status: 503 }, "reset", answer], async ({ url, requests }) => {
    const call = async ({ signal }) => {
      const response = await fetch(url, { signal });
      if (!response.ok) throw response;
      return response.json();
    };
    const outcome = await tableExists().wait(call, { ...OPTIONS, clock: new FakeClock() });
    assert.deepEqual([outcome.attempts, outcome.result, requests.length], [3, "response", 3]);
  });
});

/** Returns the step after an error, 10 ms after the start. */
function stepAfter(event, options = {}) {
  const wait = tableExists().start({ ...OPTIONS, ...options });
  wait.poll(0);
  return [wait.handle(event, 10), wait];
}

test("step by step, an error is classified likewise, a string by its name", () => {
  for (const event of [{ type: "error", error: "ThrottlingException" }, { type: "error", error: ofStatus(503) }, { type: "verdict", error: ofNode("ECONNRESET") }]) {
    assert.equal(stepAfter(event)[0].type, "sleep");
  }
  for (const event of [{ type: "error", error: "AccessDenied" }, { type: "error", error: ofNode("ENOTFOUND") }, { type: "verdict", error: "ENOTFOUND" }]) {
    assert.equal(stepAfter(event)[0].code, "unmatched_error");
  }
});

test("step by step, the caller may classify an error", () => {
  for (const type of ["error", "verdict"]) {
    assert.equal(stepAfter({ type, error: "ThrottlingException", transient: false })[0].code, "unmatched_error");
    assert.equal(stepAfter({ type, error: "AccessDenied", transient: {} })[0].untilMs, 2010);
    assert.equal(stepAfter({ type, error: "AccessDenied", transient: { notBeforeMs: 9000 } })[0].untilMs, 9000);
    assert.throws(() => stepAfter({ type, error: "AccessDenied", transient: 5 }), TypeError);
    assert.throws(() => stepAfter({ type, error: "AccessDenied", transient: { notBeforeMs: "5" } }), { code: "invalid_time" });
  }
});

/** The errors of HTTP clients for a status: fetch, axios, got, Octokit, and the Kubernetes clients. */
const ofClients = (status) => [
  new Response(null, { status }),
  Object.assign(new Error(`Request failed with status code ${status}`), { name: "AxiosError", code: "ERR_BAD_REQUEST", isAxiosError: true, response: { status, headers: {} } }),
  Object.assign(new Error("Response code"), { name: "HTTPError", code: "ERR_NON_2XX_3XX_RESPONSE", response: { statusCode: status, headers: {} } }),
  Object.assign(new Error("Not Found"), { name: "HttpError", status }),
  Object.assign(new Error("HTTP-Code"), { code: status, body: "{}", headers: { "content-type": "application/json" } }),
  new Error("mine", { cause: new Response(null, { status }) }),
];

test("the status 404 says that the resource is missing", async () => {
  for (const error of ofClients(404)) {
    const options = { notFoundFor: 30 };
    assert.equal((await waiting([error, ACTIVE], options)).attempts, 2, String(error));
    assert.equal((await waiting([error], options)).code, "never_found");
    const failed = await waiting([error]);
    assert.match(failed.message, /the resource does not exist: .*\(to keep waiting for it, set `notFoundFor`\)/);
  }
});

test("another status, or a code of a service, does not", async () => {
  for (const error of [...ofClients(410), ofStatus(404, {}, "UnknownOperationException")]) {
    const { code, attempts } = await waiting([error], { notFoundFor: 30 });
    assert.deepEqual([code, attempts], ["unmatched_error", 1], String(error));
  }
});

test("a response with the status 404 that is returned is a response", async () => {
  const found = Waiter.until("status == `200`");
  const responses = [404, 404, 404, 200].map((status) => new Response(null, { status }));
  const { attempts } = await found.wait(({ number }) => responses[number - 1], { ...OPTIONS, clock: new FakeClock(), notFoundFor: 1 });
  assert.equal(attempts, 4);
});
