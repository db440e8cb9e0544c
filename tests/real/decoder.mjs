// An HTTP server that accepts compressed bodies, with express in its usual configuration. It responds to every request like
// CloudWatch to an operation without output. `GET /-/arrived` returns the received headers and decoded bodies.

import { createServer } from "node:http";

import express from "express";

import { listen } from "./listen.mjs";

const CBOR = { "smithy-protocol": "rpc-v2-cbor", "content-type": "application/cbor" };
const NOTHING_AS_CBOR = Buffer.from([0xa0]);
const JSON_1_0 = { "content-type": "application/x-amz-json-1.0" };

/** Starts the server and returns its address. */
export function startDecoder() {
  const arrived = [];
  const app = express();
  app.get("/-/arrived", (_, response) => response.json(arrived.splice(0)));
  app.use(express.raw({ type: () => true, limit: "10mb" }));
  app.post(/.*/, (request, response) => {
    arrived.push({ headers: request.headers, body: request.body.toString("base64") });
    const isCbor = request.headers["smithy-protocol"] === "rpc-v2-cbor";
    response.set(isCbor ? CBOR : JSON_1_0).send(isCbor ? NOTHING_AS_CBOR : "{}");
  });
  return listen(createServer(app));
}
