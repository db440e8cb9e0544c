/**
 * What a retry decision and a page cost: the engine, the AWS SDK's own strategy, a loop by hand. One JSON object a line; times
 * are nanoseconds. All take turns, the best of each counts.
 */

import { StandardRetryStrategy as SmithyStrategy } from "@smithy/util-retry";
import { classify, Paginator, StandardRetryStrategy } from "smithy-waiters";

const TURNS = 15;
const DECISIONS = 5000;
const PAGES = 1000;
const SIZES = [["of 10 items", 10], ["of 1000 items", 1000]];

const ERROR = Object.assign(new Error("slow down"), {
  name: "ThrottlingException",
  $fault: "client",
  $metadata: { httpStatusCode: 400 },
});
const FAILURE = classify(ERROR, { idempotent: true });

/** The first retry of a request. */
async function decide() {
  const strategy = new StandardRetryStrategy({ capacity: 2 ** 32 - 1 });
  const begun = performance.now();
  for (let made = 0; made < DECISIONS; made++) strategy.refreshRetryToken(strategy.acquireInitialToken(), FAILURE);
  return ((performance.now() - begun) * 1e6) / DECISIONS;
}

/** The same, and what the error means. */
async function readAndDecide() {
  const strategy = new StandardRetryStrategy({ capacity: 2 ** 32 - 1 });
  const begun = performance.now();
  for (let made = 0; made < DECISIONS; made++) {
    strategy.refreshRetryToken(strategy.acquireInitialToken(), classify(ERROR, { idempotent: true }));
  }
  return ((performance.now() - begun) * 1e6) / DECISIONS;
}

/** The same by the AWS SDK's strategy, which sleeps in between: its timers are over at once. */
async function decideBySmithy() {
  const { setTimeout: timers } = globalThis;
  const strategy = new SmithyStrategy(3);
  strategy.capacity = Number.MAX_SAFE_INTEGER;
  globalThis.setTimeout = (over) => over();
  try {
    const begun = performance.now();
    for (let made = 0; made < DECISIONS; made++) {
      const token = await strategy.acquireInitialRetryToken("");
      await strategy.refreshRetryTokenForRetry(token, { errorType: "THROTTLING", error: ERROR });
    }
    return ((performance.now() - begun) * 1e6) / DECISIONS;
  } finally {
    globalThis.setTimeout = timers;
  }
}

function scripted(items) {
  const page = (token) => ({ Items: Array.from({ length: items }, (_, index) => ({ Id: `i${index}` })), Next: token });
  const [even, odd, last] = [page("a-token-of-some-length-0"), page("a-token-of-some-length-1"), page(undefined)];
  let made = 0;
  return async () => (++made === PAGES ? last : made % 2 === 0 ? even : odd);
}

const PAGINATOR = new Paginator({ inputToken: "Token", outputToken: "Next", items: "Items" });

async function walked(items) {
  const call = scripted(items);
  let seen = 0;
  const begun = performance.now();
  for await (const page of PAGINATOR.pages(call, { Table: "t" })) seen += page.Items.length;
  return perPage(begun, seen, items);
}

async function walkedByHand(items) {
  const call = scripted(items);
  let seen = 0;
  let token;
  const begun = performance.now();
  do {
    const page = await call({ Table: "t", Token: token });
    seen += page.Items.length;
    token = page.Next;
  } while (token);
  return perPage(begun, seen, items);
}

function perPage(begun, seen, items) {
  if (seen !== items * PAGES) throw new Error(`${seen} items`);
  return ((performance.now() - begun) * 1e6) / PAGES;
}

async function best(ways) {
  const times = {};
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, way] of Object.entries(ways)) times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, await way());
  }
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, Math.round(time)]));
}

console.log(JSON.stringify({ case: "retry decision", size: "", ...(await best({ engine: decide, smithyUtilRetry: decideBySmithy })) }));
console.log(JSON.stringify({ case: "an error read, a retry decision", size: "", ...(await best({ engine: readAndDecide })) }));
for (const [size, items] of SIZES) {
  const times = await best({ engine: () => walked(items), byHand: () => walkedByHand(items) });
  console.log(JSON.stringify({ case: "page", size, ...times }));
}
