// Uses generated code. This file is compiled but does not run.
import type { DynamoDBClient, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import * as jobs from "./plain/jobs.js";
import { waitUntilTableExists, waitUntilTableNotExists } from "./sdk/dynamodb.js";

export async function found(client: DynamoDBClient): Promise<[ResourceNotFoundException, string | undefined]> {
  const gone = await waitUntilTableNotExists({ client, maxWaitTime: 9 }, { TableName: "t" });
  const there = await waitUntilTableExists({ client, maxWaitTime: 9 }, { TableName: "t" });
  // @ts-expect-error: the time is required.
  await waitUntilTableExists({ client }, { TableName: "t" });
  return [gone.error, there.response.Table?.TableName];
}

export async function done(): Promise<jobs.State | undefined> {
  const call = async ({ names = [] }: jobs.GetJobsInput): Promise<jobs.GetJobsOutput> => ({
    jobs: names.map((name) => ({ state: "DONE", from: { name } })),
  });
  const outcome = await jobs.waitUntilJobsDone({ call, maxWaitTime: 9 }, { names: ["a"] });
  return outcome.response.jobs?.[0]?.state;
}
