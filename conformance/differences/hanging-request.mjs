// npm install @aws-sdk/client-acm && node hanging-request.mjs
// The wait must end when its time, 2 s, is over. It ends with the request, after 6 s, and even succeeds.
import { createServer } from "node:http";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

const body = JSON.stringify({ Certificate: { DomainValidationOptions: [{ ValidationStatus: "SUCCESS" }] } });
const server = createServer((_, response) => setTimeout(() => response.end(body), 6000));
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 2, minDelay: 1, maxDelay: 1 };
  const start = Date.now();
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  console.log(await wait.then(() => "success", (error) => error.name), "after", (Date.now() - start) / 1000, "s");
  server.close();
});
