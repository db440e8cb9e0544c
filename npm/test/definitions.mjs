import { Waiter } from "smithy-waiters";

export const TABLE_EXISTS = {
  documentation: "Waits until a table is there.",
  minDelay: 2,
  maxDelay: 20,
  tags: ["tables"],
  acceptors: [
    { state: "success", matcher: { output: { path: "Table.TableStatus", comparator: "stringEquals", expected: "ACTIVE" } } },
    { state: "failure", matcher: { output: { path: "Table.TableStatus", comparator: "stringEquals", expected: "LOST" } } },
    { state: "retry", matcher: { errorType: "ResourceNotFoundException" } },
  ],
};

export const tableExists = () => new Waiter(TABLE_EXISTS, { name: "TableExists" });

/** Creates a waiter with a single acceptor for success. */
export const matching = (path, expected, comparator = "stringEquals", kind = "output") =>
  new Waiter({ acceptors: [{ state: "success", matcher: { [kind]: { path, expected, comparator } } }] });

export const table = (status) => ({ Table: { TableStatus: status } });
export const ACTIVE = table("ACTIVE");
export const CREATING = table("CREATING");

/** Creates a call with a script of responses and errors; the last one is repeated. */
export const script = (...answers) => ({ number }) => {
  const answer = answers[Math.min(number, answers.length) - 1];
  if (answer instanceof Error) throw answer;
  return answer;
};

/** An error like those of clients that are generated from Smithy models. */
export class ServiceError extends Error {
  $fault = "client";

  constructor(name, message = "no") {
    super(message);
    this.name = name;
  }
}

/** Returns the error that an action throws. */
export function thrownBy(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Returns the error with which a promise rejects. */
export function rejection(promise) {
  const resolved = () => {
    throw new Error("nothing was rejected");
  };
  return promise.then(resolved, (error) => error);
}
