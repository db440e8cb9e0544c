// Replays a recorded wait: the same responses with the same durations, in virtual time and without a service.

import { DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { Waiter } from "smithy-waiters";

import { Journal } from "./journal.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** Replays the responses of the job after `waitForStart` resolves. */
export async function replay({ waiter, definition, options, script }, waitForStart) {
  const time = new VirtualTime();
  const answers = script[Symbol.iterator]();
  const call = async () => {
    const { took, response, error } = answers.next().value;
    await time.sleep(took);
    if (error) throw serviceError(error);
    return response;
  };
  const { maxWait: maxWaitTime, seed } = options;
  const journal = new Journal(maxWaitTime);
  const tableWaiter = new Waiter(definition, { name: waiter });
  await waitForStart();

  await journal.end(
    tableWaiter.wait(journal.watch(call), {
      maxWaitTime,
      seed,
      sleep: time.sleep,
      clock: time.clock,
      onAttempt: (attempt) => journal.attempt(attempt),
    }),
  );
}

function serviceError({ code, message }) {
  return new DynamoDBServiceException({ name: code, message, $fault: "client", $metadata: {} });
}
