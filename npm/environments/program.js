/**
 * The program that each environment runs: waits with three different endings on real timers, a search, and a wait on a fake clock.
 * Returns the line that the environment must print, which includes the number of engines.
 */

const DEFINITION = {
  minDelay: 1,
  acceptors: [
    { state: "success", matcher: { output: { path: "Table.TableStatus", comparator: "stringEquals", expected: "ACTIVE" } } },
    { state: "failure", matcher: { errorType: "ResourceGone" } },
  ],
};
const OPTIONS = { maxWaitTime: 60, minDelay: 0.001, maxDelay: 0.002 };

export async function program(api, testing) {
  const engines = countEngines();
  const waiter = new api.Waiter(DEFINITION, { name: "TableExists" });
  const parts = [await success(waiter), await failure(api, waiter), await cancellation(api, waiter)];
  parts.push(`search ${api.search("a[].b", { a: [{ b: 1 }, { c: 2 }, { b: 3 }] })}`);
  if (testing !== undefined) parts.push(await withoutWaiting(waiter, testing));
  return [...parts, `${engines.close()} engine`].join(", ");
}

async function success(waiter) {
  const { attempts, response } = await waiter.wait(({ number }) => table(number < 3 ? "CREATING" : "ACTIVE"), OPTIONS);
  return `${response.Table.TableStatus} after ${attempts} attempts`;
}

async function failure({ WaiterError, WaiterFailed }, waiter) {
  const gone = Object.assign(new Error("no such table"), { name: "ResourceGone" });
  const error = await rejection(waiter.wait(() => Promise.reject(gone), OPTIONS));
  check(error instanceof WaiterFailed && error instanceof WaiterError && error instanceof Error, "the failure's class", error);
  check(error.cause === gone, "the failure's cause", error);
  return error.code;
}

async function cancellation({ WaiterCancelled }, waiter) {
  const controller = new AbortController();
  const reason = new Error("enough");
  let abortReason;
  const hang = ({ number, signal }) => {
    if (number === 1) return table("CREATING");
    setTimeout(() => controller.abort(reason));
    return new Promise(() => signal.addEventListener("abort", () => (abortReason = signal.reason)));
  };
  const error = await rejection(waiter.wait(hang, { ...OPTIONS, abortSignal: controller.signal }));
  check(error instanceof WaiterCancelled && error.name === "AbortError", "the cancellation's class", error);
  check(error.cause === reason && abortReason === reason, "the cancellation's reason", error);
  return error.code;
}

/** Waits on a `FakeClock`, on which hours take no time. */
async function withoutWaiting(waiter, { FakeClock }) {
  const clock = new FakeClock();
  const call = ({ number }) => table(number < 5 ? "CREATING" : "ACTIVE");
  const { attempts, elapsed } = await waiter.wait(call, { maxWaitTime: 36000, minDelay: 3600, maxDelay: 3600, clock });
  check(clock.now === elapsed && elapsed === 4 * 3600, "the time on a fake clock", elapsed);
  return `${attempts} attempts in no time`;
}

const table = (TableStatus) => ({ Table: { TableStatus } });

async function rejection(promise) {
  return promise.then(
    (value) => check(false, "a wait that ends in an error", value),
    (error) => error,
  );
}

function check(isTrue, what, value) {
  if (!isTrue) throw new Error(`${what}: ${value?.stack ?? JSON.stringify(value)}`);
}

/** Counts the WebAssembly instances that are created from now on. The engine is instantiated on first use. */
function countEngines() {
  const { Instance } = WebAssembly;
  let count = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(...values) {
      super(...values);
      count++;
    }
  };
  return {
    close() {
      WebAssembly.Instance = Instance;
      return count;
    },
  };
}
