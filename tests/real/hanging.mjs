// Ends 500 waits whose service accepts connections and never answers. Prints the time by which the last end exceeds the deadline, beside that of
// fetch alone with a timeout, and what is left.

import { once } from "node:events";
import { createServer } from "node:http";
import { Waiter, WaiterTimeout } from "smithy-waiters";

const [WAITS, SECONDS] = [500, 2];
const ready = Waiter.until("Status", "READY");
const server = createServer(() => {}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/`;

/** Returns the milliseconds by which the last of many exceeds its time. */
async function latest(run) {
  const overrun = async () => {
    const start = performance.now();
    await run();
    return performance.now() - start - SECONDS * 1_000;
  };
  return Math.max(...(await Promise.all(Array.from({ length: WAITS }, overrun))));
}

const alone = await latest(() => fetch(url, { signal: AbortSignal.timeout(SECONDS * 1_000) }).catch(() => {}));
const ours = await latest(async () => {
  const failure = await ready.wait(({ signal }) => fetch(url, { signal }), { maxWaitTime: SECONDS }).catch((error) => error);
  if (!(failure instanceof WaiterTimeout)) throw failure;
});
server.closeAllConnections();
server.close();
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
console.log(`javascript: ${WAITS} waits end at most ${ours.toFixed(0)} ms late, fetch alone ${alone.toFixed(0)} ms; timers left: ${timers}`);
process.exitCode = ours > alone + 150 ? 1 : 0;
