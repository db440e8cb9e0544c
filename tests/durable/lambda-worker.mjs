// A worker that runs a durable function for the local service, as `lambda_worker.py`.

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { withDurableExecution } from "@aws/durable-execution-sdk-js";
import { durableWait } from "smithy-waiters/aws-lambda";
import { answer, facts, jobDone, OPTIONS } from "./waits.mjs";

const handler = withDurableExecution(async ({ wait, seed }, context) => {
  context.configureLogger({ customLogger: { log() {}, debug() {}, info() {}, warn() {}, error() {} } });
  const call = async ({ number }) => {
    appendFileSync("calls", `${wait} ${number} ${process.pid}\n`);
    // A worker may be killed during a call.
    await setTimeout(Math.random() * 50);
    return answer(wait, number);
  };
  return durableWait(context, jobDone, call, { ...OPTIONS, seed, historyLimit: 10 }).then(facts, facts);
});

const context = { awsRequestId: "request", functionName: "function", getRemainingTimeInMillis: () => 60_000 };

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  try {
    response.end(JSON.stringify(await handler(JSON.parse(body), context)));
  } catch (error) {
    // The service repeats the invocation.
    response.writeHead(500).end(String(error));
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1");
