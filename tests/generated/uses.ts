// Uses generated code. This file is compiled but does not run.
import { type DescribeTableCommandOutput, type DynamoDBClient, type ResourceNotFoundException, waitUntilTableExists as sdkWait } from "@aws-sdk/client-dynamodb";
import { WaiterState } from "@smithy/core/client";
import * as only from "./only/dynamodb.js";
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

/** Evaluates a response of the operation's type. */
export function evaluated(response: DescribeTableCommandOutput): boolean {
  // @ts-expect-error: the response of another operation.
  only.tableExistsWaiter().evaluate({ response: { Role: {} } });
  return only.tableExistsWaiter().evaluate({ response }).state === "success";
}

/** Calls the waiter as code for the AWS SDK does. Only the import differs. */
export async function replaced(client: DynamoDBClient, abortController: AbortController): Promise<(string | undefined)[]> {
  const [configuration, input] = [{ client, maxWaitTime: 9, minDelay: 1, maxDelay: 2 }, { TableName: "t" }];
  const { signal: abortSignal } = abortController;
  const sdk = await sdkWait({ ...configuration, abortController, abortSignal }, input);
  const ours = await waitUntilTableExists({ ...configuration, abortController, abortSignal }, input);
  const small = await only.waitUntilTableExists({ ...configuration, abortController, abortSignal }, input);
  const done: boolean[] = [sdk.state === WaiterState.SUCCESS, ours.state === WaiterState.SUCCESS, small.state === WaiterState.SUCCESS];
  const reasons: string[] = [sdk.reason.Table.TableName, ours.reason.Table.TableName, small.reason.Table.TableName];
  return done.every(Boolean) ? reasons : [sdk.final?.Table?.TableName, ours.final.Table?.TableName, small.final.Table?.TableName];
}
