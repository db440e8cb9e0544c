// npm install @aws-sdk/client-acm && node null-in-projection.mjs
// A projection drops the null of an item without the member, so all values are SUCCESS: the wait must succeed. It times out.
import { createServer } from "node:http";
import { ACMClient, waitUntilCertificateValidated } from "@aws-sdk/client-acm";

const options = [{ ValidationStatus: "SUCCESS" }, {}];
const server = createServer((_, response) => response.end(JSON.stringify({ Certificate: { DomainValidationOptions: options } })));
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const client = new ACMClient({ region: "us-east-1", endpoint, credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  const configuration = { client, maxWaitTime: 3, minDelay: 1, maxDelay: 1 };
  const wait = waitUntilCertificateValidated(configuration, { CertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" });
  console.log(await wait.then(() => "success", (error) => `${error.name}: ${error.message}`));
  server.close();
});
