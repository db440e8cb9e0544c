// Random faults, which depend only on the seed, the table and the number of the request, not on the order of requests.
//
// | fault | of |
// |---|---|
// | throttling, a server error | half of the requests |
// | no response, a closed connection, half of a response | 4% each |
// | a reset before the first response | every third connection |
// | closing an idle connection, 5 to 60 ms after a response | every connection |

import { createHash } from "node:crypto";

const REFUSALS = [
  answer(400, "ThrottlingException"),
  answer(400, "ProvisionedThroughputExceededException"),
  answer(500, "InternalServerError"),
  answer(503, "ServiceUnavailable"),
];

/** The upper bounds of the random numbers for each fault. */
const BOUNDS = [
  [0.5, "refusal"],
  [0.54, "slow"],
  [0.58, "closed"],
  [0.62, "cut"],
  [1, null],
];

/** The maximum number of responses before a table is active, from 1. */
const MOST_PENDING = 4;

export class SeededFaults {
  #seed;
  #connections = new Map();
  #requests = new Map();
  #descriptions = new Map();

  constructor(seed) {
    this.#seed = seed;
  }

  /** Returns the fault of the next request. */
  next({ socket }, { TableName }) {
    const isNew = !this.#connections.has(socket);
    if (isNew) this.#connections.set(socket, this.#connections.size + 1);
    if (isNew && this.#connections.get(socket) % 3 === 0) return "reset";
    const number = increment(this.#requests, TableName);
    const drawn = this.#draw("fault", TableName, number);
    const [, fault] = BOUNDS.find(([bound]) => drawn < bound);
    return fault === "refusal" ? REFUSALS[Math.floor((drawn / BOUNDS[0][0]) * REFUSALS.length)] : fault;
  }

  /** Returns the response with the current state of the table. */
  rewrite({ TableName }, content) {
    const answer = JSON.parse(content);
    const pending = 1 + Math.floor(this.#draw("pending", TableName) * MOST_PENDING);
    if (increment(this.#descriptions, TableName) <= pending) answer.Table.TableStatus = "CREATING";
    return Buffer.from(JSON.stringify(answer));
  }

  /** Returns the time in milliseconds after which an idle connection is closed. */
  idleTime(socket) {
    return 5 + Math.floor(this.#draw("idle", this.#connections.get(socket)) * 55);
  }

  #draw(...key) {
    const digest = createHash("sha256").update([this.#seed, ...key].join("/")).digest();
    return digest.readUInt32BE() / 2 ** 32;
  }
}

function answer(status, code) {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: "try again" } };
}

function increment(counts, key) {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
