// A recorded wait once more: the same answers after the same times, without a service and without waiting.

import { DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { Waiter } from "smithy-waiters";

import { Journal } from "./journal.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** Replays the job's script of answers, once `go` resolves. */
export async function replay({ waiter, definition, options, script }, go) {
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
  const recorded = new Waiter(definition, { name: waiter });
  await go();

  await journal.end(
    recorded.wait(journal.watch(call), {
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
