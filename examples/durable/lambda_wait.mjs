// A durable function of AWS Lambda that restores a database and waits for it. It does not run between two polls.
//
// npm install smithy-waiters @aws/durable-execution-sdk-js @aws-sdk/client-rds

import { DescribeDBInstancesCommand, RDSClient, RestoreDBInstanceFromDBSnapshotCommand } from "@aws-sdk/client-rds";
import { withDurableExecution } from "@aws/durable-execution-sdk-js";
import { Waiter } from "smithy-waiters";
import { durableWait } from "smithy-waiters/aws-lambda";

const client = new RDSClient();

const dbAvailable = Waiter.until("DBInstances[0].DBInstanceStatus", "available", {
  fail: ["failed", "incompatible-restore"],
  retryErrors: ["DBInstanceNotFoundFault"],
  name: "DatabaseAvailable",
});

export const handler = withDurableExecution(async ({ database, snapshot }, context) => {
  const request = { DBInstanceIdentifier: database, DBSnapshotIdentifier: snapshot };
  await context.step("restore", async () => {
    await client.send(new RestoreDBInstanceFromDBSnapshotCommand(request));
  });
  const describe = ({ signal }) => client.send(new DescribeDBInstancesCommand({ DBInstanceIdentifier: database }), { abortSignal: signal });
  const options = { maxWaitTime: 6 * 3600, attemptTimeout: 60, label: database };
  const { response } = await durableWait(context, dbAvailable, describe, options);
  return response.DBInstances[0].Endpoint.Address;
});
