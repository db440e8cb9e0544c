// Two services that fail: one never responds, one denies every request. Reports the port of each.

import { createServer } from "node:http";
import { once } from "node:events";

import { send } from "./control.mjs";

const DENIAL = JSON.stringify({
  __type: "com.amazon.coral.service#AccessDeniedException",
  Message:
    "User: arn:aws:iam::123456789012:user/demo is not authorized to perform: dynamodb:DescribeTable on resource: " +
    "arn:aws:dynamodb:us-east-1:123456789012:table/orders",
});

const HEADERS = {
  "content-type": "application/x-amz-json-1.0",
  "x-amzn-requestid": "DEMO0000000000000000000000000000",
};

async function serve(handler) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  send({ event: "listening", port: server.address().port });
}

await serve(() => {});
await serve((request, response) => {
  request.resume().once("end", () => response.writeHead(400, HEADERS).end(DENIAL));
});
