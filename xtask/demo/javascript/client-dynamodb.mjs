// The AWS SDK's client for a service on this machine.

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Creates a client without retries, so that each attempt of a wait is one request. */
export function connect(endpoint) {
  return new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "demo", secretAccessKey: "demo" },
    maxAttempts: 1,
  });
}
