// npm install @aws-sdk/client-s3 && node other-definition.mjs
// botocore's definition of this waiter succeeds at the status 301. The definition in the SDK for JavaScript does not name it, so the wait goes on.
import { createServer } from "node:http";
import { S3Client, waitUntilBucketExists } from "@aws-sdk/client-s3";

let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.writeHead(301).end();
});
server.listen(0, async () => {
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const client = new S3Client({ region: "us-east-1", endpoint, credentials, forcePathStyle: true });
  const wait = waitUntilBucketExists({ client, maxWaitTime: 3, minDelay: 1, maxDelay: 1 }, { Bucket: "a-bucket" });
  console.log(await wait.then(() => "success", (error) => error.name), "after", requests, "requests");
  server.close();
});
