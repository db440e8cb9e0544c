// npm install @aws-sdk/client-acm && node request-after-cancellation.mjs
// A cancelled wait must send no further request. It sends one when its delay is over.
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

let requests = 0;
const server = createServer((_, response) => response.end(JSON.stringify({ Certificate: {} }), () => (requests += 1)));
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 9, minDelay: 2, maxDelay: 2, abortSignal: AbortSignal.timeout(1000) };
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  const end = await wait.then(() => "success", (error) => error.name);
  const before = requests;
  await setTimeout(3000);
  console.log(end, "after", before, "requests; then", requests - before, "more");
  server.close();
});
