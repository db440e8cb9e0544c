// Ends 500 waits whose service accepts connections and never answers. Prints the time by which the last end exceeds the deadline, and what is left.

import { once } from "node:events";
import { createServer } from "node:http";
import { Waiter, WaiterTimeout } from "smithy-waiters";

const [WAITS, MAX_WAIT] = [500, 2];
const ready = Waiter.until("Status", "READY");
const server = createServer(() => {}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/`;

/** Returns the milliseconds by which a wait exceeds its deadline. */
async function overrun() {
  const start = performance.now();
  const error = await ready.wait(({ signal }) => fetch(url, { signal }), { maxWaitTime: MAX_WAIT }).catch((failure) => failure);
  if (!(error instanceof WaiterTimeout)) throw error;
  return performance.now() - start - MAX_WAIT * 1_000;
}

const overruns = await Promise.all(Array.from({ length: WAITS }, overrun));
const latest = Math.max(...overruns);
server.closeAllConnections();
server.close();
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
console.log(`javascript: ${WAITS} waits end at most ${latest.toFixed(0)} ms late; timers left: ${timers.length}`);
process.exitCode = latest > 50 ? 1 : 0;
