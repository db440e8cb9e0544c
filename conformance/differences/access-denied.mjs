// npm install @aws-sdk/client-acm && node access-denied.mjs
// No acceptor matches the error, so the wait must fail after one request. It polls until the deadline.
import { createServer } from "node:http";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.writeHead(400).end(JSON.stringify({ __type: "AccessDeniedException" }));
});
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 5, minDelay: 1, maxDelay: 1 };
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  console.log(await wait.then(() => "success", (error) => error.name), requests, "requests");
  server.close();
});
