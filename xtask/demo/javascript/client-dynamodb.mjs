// The AWS SDK's client, for a service on this machine.

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** A client that never retries by itself: while a waiter polls, the waiter alone decides what is tried again. */
export function connect(endpoint) {
  return new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "demo", secretAccessKey: "demo" },
    maxAttempts: 1,
  });
}
