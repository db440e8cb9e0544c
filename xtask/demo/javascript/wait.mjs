// Waits for a table with the AWS SDK.

import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { Waiter } from "smithy-waiters";

import { connect } from "./client-dynamodb.mjs";
import { Journal } from "./journal.mjs";

/** Runs the job's wait after `waitForStart` resolves. */
export async function wait({ waiter, definition, endpoint, table, options }, waitForStart) {
  const client = connect(endpoint);
  const input = { TableName: table };
  const describeTable = ({ signal }) => client.send(new DescribeTableCommand(input), { abortSignal: signal });
  const tableWaiter = new Waiter(definition, { name: waiter });
  await waitForStart();

  const { maxWait: maxWaitTime, ...delays } = options;
  const journal = new Journal(maxWaitTime);
  await journal.end(
    tableWaiter.wait(journal.watch(describeTable), {
      maxWaitTime,
      ...delays,
      input,
      onAttempt: (attempt) => journal.attempt(attempt),
    }),
  );
}
