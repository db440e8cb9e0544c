// A local service that is compatible with DynamoDB: `node service.mjs [port]`.
//
// A new table is `CREATING` for 2.5 seconds. Below `/hang` the service never responds, and below `/deny` it denies every request.
// The program prints its address, and exits when its standard input ends.

import { createServer } from "node:http";

import dynalite from "dynalite";

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

const dynamodb = dynalite({ createTableMs: 2500, deleteTableMs: 1000 });

const server = createServer((request, response) => {
  if (request.url.startsWith("/hang")) return;
  if (request.url.startsWith("/deny")) {
    request.resume().once("end", () => response.writeHead(400, HEADERS).end(DENIAL));
  } else {
    dynamodb.emit("request", request, response);
  }
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().once("end", () => process.exit(0));
