// Random faults, which depend only on the seed, the table and the number of the request, not on the order of requests; a limit
// on requests, and an outage. `scenarios.json` and `faults.json` have the faults of each scenario:
//
// | member | faults |
// |---|---|
// | `rate` | the share of requests that fail: 7 of 10 with throttling or a server error, the others with a connection that is reset, closed, or reset during the response |
// | `silent` | the share of requests without a response, in addition |
// | `latency` | every request is delayed by up to this many milliseconds |
// | `ends` | the last state of the table of each number, in turn; after it, the table begins again |
// | `idle` | every connection is closed 5 to 60 ms after a response |
// | `callsPerSecond` | more requests in a second are throttled |
// | `outage` | all requests from one time to another, in seconds after the first one, get a 503 |

import { createHash } from "node:crypto";

const UNAVAILABLE = answer(503, "ServiceUnavailable");
const THROTTLED = answer(400, "ThrottlingException");

/** The faults of a failed request, with equal shares. */
const FAULTS = [
  THROTTLED,
  THROTTLED,
  answer(400, "ProvisionedThroughputExceededException"),
  answer(500, "InternalServerError"),
  UNAVAILABLE,
  UNAVAILABLE,
  UNAVAILABLE,
  "reset",
  "closed",
  "cut",
];

/** The maximum number of responses before a table is active, from 1. */
const MOST_PENDING = 4;

export class SeededFaults {
  #seed;
  #faults;
  #sockets = new Map();
  #requests = new Map();
  #descriptions = new Map();
  #second = { began: 0, calls: 0 };
  #began;

  constructor({ seed, faults }) {
    this.#seed = seed;
    this.#faults = faults;
  }

  /** Returns the fault of the next request. */
  next({ socket }, { TableName }) {
    if (!this.#sockets.has(socket)) this.#sockets.set(socket, this.#sockets.size);
    const { rate = 0, silent = 0 } = this.#faults;
    if (this.#isOut()) return UNAVAILABLE;
    if (this.#isOverLimit()) return THROTTLED;
    const drawn = this.#draw("fault", TableName, increment(this.#requests, TableName));
    if (drawn < rate) return FAULTS[Math.floor((drawn / rate) * FAULTS.length)];
    return drawn < rate + silent ? "slow" : null;
  }

  /** Returns the response with the current state of the table. */
  rewrite({ TableName }, content) {
    const answer = JSON.parse(content);
    const pending = 1 + Math.floor(this.#draw("pending", TableName) * MOST_PENDING);
    const { ends } = this.#faults;
    const count = increment(this.#descriptions, TableName);
    const isPending = ends === undefined ? count <= pending : count % (pending + 1) > 0;
    if (isPending) answer.Table.TableStatus = "CREATING";
    else if (ends !== undefined) answer.Table.TableStatus = ends[numberOf(TableName) % ends.length];
    return Buffer.from(JSON.stringify(answer));
  }

  /** Returns the delay of the next request in milliseconds. */
  latency({ TableName }) {
    return this.#draw("latency", TableName, this.#requests.get(TableName)) * (this.#faults.latency ?? 0);
  }

  /** Returns the time in milliseconds after which an idle connection is closed; null if it stays open. */
  idleTime(socket) {
    return this.#faults.idle ? 5 + Math.floor(this.#draw("idle", this.#sockets.get(socket)) * 55) : null;
  }

  #isOut() {
    this.#began ??= Date.now();
    const [from, to] = this.#faults.outage ?? [0, 0];
    const time = (Date.now() - this.#began) / 1000;
    return from <= time && time < to;
  }

  #isOverLimit() {
    if (Date.now() - this.#second.began >= 1000) this.#second = { began: Date.now(), calls: 0 };
    this.#second.calls += 1;
    return this.#second.calls > (this.#faults.callsPerSecond ?? Infinity);
  }

  #draw(...key) {
    const digest = createHash("sha256").update([this.#seed, ...key].join("/")).digest();
    return digest.readUInt32BE() / 2 ** 32;
  }
}

function answer(status, code) {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: "try again" } };
}

function numberOf(table) {
  return Number(table.split("-").at(-1));
}

function increment(counts, key) {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
