// An HTTP server that takes compressed bodies: express, as anybody would set it up. It answers every request as CloudWatch
// does one that has no output; `GET /-/arrived` gives the headers that came, and the bodies as express decoded them.

import { createServer } from "node:http";

import express from "express";

import { listen } from "./listen.mjs";

const NOTHING = Buffer.from([0xa0]);

/** Starts it, and gives its address. */
export function startDecoder() {
  const arrived = [];
  const app = express();
  app.get("/-/arrived", (_, response) => response.json(arrived.splice(0)));
  app.use(express.raw({ type: () => true, limit: "10mb" }));
  app.post(/.*/, (request, response) => {
    arrived.push({ headers: request.headers, body: request.body.toString("base64") });
    response.set({ "smithy-protocol": "rpc-v2-cbor", "content-type": "application/cbor" }).send(NOTHING);
  });
  return listen(createServer(app));
}
