// A proxy with configurable faults that records requests. `POST /-/script` sets the faults of the next requests, one for each,
// with `null` for a request without a fault, and clears the record. `POST /-/seed` sets a seed and the faults of all further
// requests (`seeded-faults.mjs`). `GET /-/arrived` returns the recorded requests, and `GET /-/count` their number.
//
// | fault | what the client sees | what the service sees |
// |---|---|---|
// | `{"status": 503, "headers": {}, "body": {}}` | that response | nothing |
// | `"reset"` | the connection is reset | nothing |
// | `"closed"` | the connection is closed cleanly, like an idle one | nothing |
// | `"lost"` | the connection is reset | the request, which it executes |
// | `"cut"` | the connection is reset after half of the response | the request |
// | `"slow"` | nothing | the request |

import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { listen } from "./listen.mjs";
import { SeededFaults } from "./seeded-faults.mjs";

/** Starts the proxy and returns its address. */
export async function startProxy(service) {
  const state = { faults: new Script([]), arrived: [] };
  const server = createServer((incoming, outgoing) => {
    // The client closed its connection during the request.
    handle(state, service, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  return listen(server);
}

async function handle(state, service, incoming, outgoing) {
  const content = await buffer(incoming);
  const own = OWN[incoming.url];
  if (own !== undefined) {
    outgoing.end(JSON.stringify(own(state, content)));
    return;
  }
  const { faults } = state;
  const body = JSON.parse(content);
  const fault = faults.next(incoming, body);
  state.arrived.push({ operation: operation(incoming), headers: incoming.headers, body, fault });
  closeWhenIdle(faults.idleTime(incoming.socket), incoming.socket, outgoing);
  const latency = faults.latency(body);
  if (latency > 0) await sleep(latency);
  await answer(fault, service, { incoming, outgoing, content, rewrite: (answered) => faults.rewrite(body, answered) });
}

/** The faults of the next requests. */
class Script {
  #faults;

  constructor(faults) {
    this.#faults = faults;
  }

  next() {
    return this.#faults.shift() ?? null;
  }

  rewrite(_body, answered) {
    return answered;
  }

  idleTime() {
    return null;
  }

  latency() {
    return 0;
  }
}

const OWN = {
  "/-/script": (state, content) => begin(state, new Script(JSON.parse(content))),
  "/-/seed": (state, content) => begin(state, new SeededFaults(JSON.parse(content))),
  "/-/arrived": (state) => state.arrived,
  "/-/count": (state) => state.arrived.length,
};

function begin(state, faults) {
  Object.assign(state, { faults, arrived: [] });
  return {};
}

/** Closes a connection some time after the response, unless a request arrives before. A request in transit is lost. */
function closeWhenIdle(time, socket, outgoing) {
  clearTimeout(IDLE.get(socket));
  if (time === null) return;
  outgoing.once("finish", () => IDLE.set(socket, setTimeout(() => socket.destroy(), time)));
}

const IDLE = new WeakMap();

function operation(incoming) {
  return incoming.headers["x-amz-target"].split(".").at(-1);
}

async function answer(fault, service, exchange) {
  const { incoming, outgoing } = exchange;
  if (fault === "reset") {
    incoming.socket.resetAndDestroy();
    return;
  }
  if (fault === "closed") {
    incoming.socket.destroy();
    return;
  }
  if (fault?.status !== undefined) {
    outgoing.writeHead(fault.status, { "content-type": "application/x-amz-json-1.0", ...fault.headers });
    outgoing.end(JSON.stringify(fault.body ?? {}));
    return;
  }
  const { response, answered } = await forward(service, exchange);
  if (fault === "lost") {
    incoming.socket.resetAndDestroy();
  } else if (fault === "cut") {
    outgoing.writeHead(response.statusCode, response.headers);
    outgoing.write(answered.subarray(0, answered.length / 2), () => incoming.socket.resetAndDestroy());
  } else if (fault !== "slow") {
    const rewritten = exchange.rewrite(answered);
    outgoing.writeHead(response.statusCode, headersOf(response, rewritten === answered ? null : rewritten));
    outgoing.end(rewritten);
  }
}

/** Returns the headers of a response. For a rewritten response, updates the length and removes the checksum. */
function headersOf({ headers }, rewritten) {
  if (rewritten === null) return headers;
  const { "x-amz-crc32": _checksum, ...others } = headers;
  return { ...others, "content-length": rewritten.length };
}

function forward(service, { incoming, content }) {
  const { promise, resolve, reject } = withResolvers();
  const outgoing = request(service, { method: incoming.method, path: incoming.url, headers: incoming.headers });
  outgoing.once("response", async (response) => resolve({ response, answered: await buffer(response) }));
  outgoing.once("error", reject);
  outgoing.end(content);
  return promise;
}

function withResolvers() {
  const settled = {};
  settled.promise = new Promise((resolve, reject) => Object.assign(settled, { resolve, reject }));
  return settled;
}
