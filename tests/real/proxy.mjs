// A proxy that fails as it is told, and remembers what came. `POST /-/script` takes the faults of the next requests, one for
// each, `null` for none, and forgets what came before; after the last there are none. `GET /-/arrived` gives what came.
//
// | fault | what the client sees | what the service sees |
// |---|---|---|
// | `{"status": 503, "headers": {}, "body": {}}` | that answer | nothing |
// | `"reset"` | the connection is reset | nothing |
// | `"lost"` | the connection is reset | the request: it is done |
// | `"cut"` | the connection is reset after half of the answer | the request |
// | `"slow"` | nothing | the request |

import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

import { listen } from "./listen.mjs";

/** Starts it, and gives its address. */
export async function startProxy(service) {
  const state = { script: [], arrived: [] };
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const own = OWN[incoming.url];
    if (own !== undefined) {
      outgoing.end(JSON.stringify(own(state, body)));
      return;
    }
    const fault = state.script.shift() ?? null;
    state.arrived.push({ operation: operation(incoming), headers: incoming.headers, body: JSON.parse(body), fault });
    await answer(fault, service, { incoming, outgoing, body });
  });
  return listen(server);
}

const OWN = {
  "/-/script": (state, body) => {
    state.script = JSON.parse(body);
    state.arrived = [];
    return {};
  },
  "/-/arrived": (state) => state.arrived,
};

function operation(incoming) {
  return incoming.headers["x-amz-target"].split(".").at(-1);
}

async function answer(fault, service, exchange) {
  const { incoming, outgoing } = exchange;
  if (fault === "reset") {
    incoming.socket.resetAndDestroy();
    return;
  }
  if (fault?.status !== undefined) {
    outgoing.writeHead(fault.status, { "content-type": "application/x-amz-json-1.0", ...fault.headers });
    outgoing.end(JSON.stringify(fault.body ?? {}));
    return;
  }
  const { response, content } = await forward(service, exchange);
  if (fault === "lost") {
    incoming.socket.resetAndDestroy();
  } else if (fault === "cut") {
    outgoing.writeHead(response.statusCode, response.headers);
    outgoing.write(content.subarray(0, content.length / 2), () => incoming.socket.resetAndDestroy());
  } else if (fault !== "slow") {
    outgoing.writeHead(response.statusCode, response.headers);
    outgoing.end(content);
  }
}

function forward(service, { incoming, body }) {
  const { promise, resolve, reject } = withResolvers();
  const outgoing = request(service, { method: incoming.method, path: incoming.url, headers: incoming.headers });
  outgoing.once("response", async (response) => resolve({ response, content: await buffer(response) }));
  outgoing.once("error", reject);
  outgoing.end(body);
  return promise;
}

function withResolvers() {
  const settled = {};
  settled.promise = new Promise((resolve, reject) => Object.assign(settled, { resolve, reject }));
  return settled;
}
