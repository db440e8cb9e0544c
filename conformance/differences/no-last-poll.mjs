// npm install @aws-sdk/client-acm && node no-last-poll.mjs
// The last delay is the remaining time, so that a change in the last seconds is noticed. The wait of 5 s gives up at 4 s without a poll.
import { createServer } from "node:http";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

const start = Date.now();
const times = [];
const server = createServer((_, response) => response.end(JSON.stringify({ Certificate: {} }), () => times.push((Date.now() - start) / 1000)));
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 5, minDelay: 2, maxDelay: 2 };
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  console.log(await wait.then(() => "success", (error) => error.name), "at", (Date.now() - start) / 1000, "s, polls at", times);
  server.close();
});
