// npm install @aws-sdk/client-acm && node short-wait.mjs
// A wait that is shorter than its delay must still send its first request, whose answer can end it. It is rejected without a request.
import { createServer } from "node:http";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

let requests = 0;
const server = createServer((_, response) => response.end("{}", () => (requests += 1)));
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 1, minDelay: 2, maxDelay: 2 };
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  console.log(await wait.then(() => "success", (error) => `${error.name}: ${error.message}`), "after", requests, "requests");
  server.close();
});
