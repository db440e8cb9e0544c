/**
 * Benchmarks of a retry decision and of a page, compared with the AWS SDK's strategy and a hand-written loop. Prints one JSON
 * object per line; times are in nanoseconds.
 */

import { StandardRetryStrategy as SmithyStrategy } from "@smithy/util-retry";
import { classify, Paginator, StandardRetryStrategy } from "smithy-waiters";
import { awaits, calls, figure } from "./timing.mjs";

const PAGES = 1000;
const SIZES = [["10 items", 10], ["1,000 items", 1000]];

const ERROR = Object.assign(new Error("slow down"), {
  name: "ThrottlingException",
  $fault: "client",
  $metadata: { httpStatusCode: 400 },
});
const FAILURE = classify(ERROR, { idempotent: true });

// The SDK's strategy sleeps before it returns, so its timers fire at once.
globalThis.setTimeout = (over) => over();

/** Returns a contestant that decides about the first retry of a request. */
function decide() {
  const strategy = new StandardRetryStrategy({ capacity: 2 ** 32 - 1 });
  return calls(() => strategy.refreshRetryToken(strategy.acquireInitialToken(), FAILURE));
}

/** Returns a contestant that decides about the first retry of a request with the AWS SDK's strategy. */
function decideBySmithy() {
  const strategy = new SmithyStrategy(3);
  strategy.capacity = Number.MAX_SAFE_INTEGER;
  return awaits(async () => {
    const token = await strategy.acquireInitialRetryToken("");
    await strategy.refreshRetryTokenForRetry(token, { errorType: "THROTTLING", error: ERROR });
  });
}

const PAGINATOR = new Paginator({ inputToken: "Token", outputToken: "Next", items: "Items" });

/** Returns a contestant that walks over prepared pages. */
function walks(items, walk) {
  const page = (token) => ({ Items: Array.from({ length: items }, (_, index) => ({ Id: `i${index}` })), Next: token });
  const [even, odd, last] = [page("a-token-of-some-length-0"), page("a-token-of-some-length-1"), page(undefined)];
  return awaits(async () => {
    let calls = 0;
    const count = await walk(async () => (++calls === PAGES ? last : calls % 2 === 0 ? even : odd));
    if (count !== items * PAGES) throw new Error(`${count} items`);
  });
}

async function walk(call) {
  let count = 0;
  for await (const page of PAGINATOR.pages(call, { Table: "t" })) count += page.Items.length;
  return count;
}

async function walkByHand(call) {
  let count = 0;
  let token;
  do {
    const page = await call({ Table: "t", Token: token });
    count += page.Items.length;
    token = page.Next;
  } while (token);
  return count;
}

await figure("retry decision", "", { engine: decide(), smithyUtilRetry: decideBySmithy() });
for (const [size, items] of SIZES) {
  await figure("page", size, { engine: walks(items, walk), byHand: walks(items, walkByHand) }, PAGES);
}
