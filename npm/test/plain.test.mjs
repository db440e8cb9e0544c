/** Errors as plain data: in logs, and in other threads. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { MessageChannel } from "node:worker_threads";
import { OptionsError, StateError, search, Waiter, WaiterFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { CREATING, rejection, ServiceError, table, tableExists, thrownBy } from "./definitions.mjs";

/** Returns the error of a wait with scripted results and errors. */
function failed(...answers) {
  return rejection(tableExists().wait(({ number }) => answers[number - 1](), { maxWaitTime: 60, seed: 7, clock: new FakeClock() }));
}

const thrower = (error) => () => {
  throw error;
};

/** Returns the value that another thread receives. */
function posted(value) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.once("message", (message) => (port2.close(), resolve(message)));
    port1.postMessage(value);
  });
}

test("a failure is plain data, with everything that is known", async () => {
  const gone = Object.assign(new ServiceError("ResourceNotFoundException", "no table"), { $metadata: { httpStatusCode: 400 } });
  const error = await failed(thrower(gone), () => CREATING, () => ({ ...table("LOST"), at: new Date(5000), size: 12n, bytes: new Uint8Array([1]) }));
  const data = error.toJSON();
  assert.deepEqual(
    { ...data, history: data.history.map(({ attempt, result, state }) => [attempt, result, state]) },
    {
      name: "WaiterFailed",
      message: error.message,
      code: "failure_state",
      waiter: "TableExists",
      label: null,
      result: "response",
      acceptor: 1,
      acceptorText: error.acceptorText,
      attempts: 3,
      elapsed: error.elapsed,
      noticedWithin: null,
      response: { Table: { TableStatus: "LOST" }, at: 5, size: 12, bytes: "AQ==" },
      error: { name: "ResourceNotFoundException", message: "no table", $fault: "client", $metadata: { httpStatusCode: 400 } },
      // Only the error of the last attempt.
      cause: null,
      history: [[1, "error", "retry"], [2, "response", "retry"], [3, "response", "failure"]],
    },
  );
  assert.deepEqual(JSON.parse(JSON.stringify(error)), JSON.parse(JSON.stringify(data)));
  assert.deepEqual(structuredClone(data), data);
  assert.deepEqual(await posted(data), data);
});

test("errors are named as messages name them", async () => {
  class MyErr extends Error {}
  const error = await failed(thrower(new MyErr("mine", { cause: new MyErr("inner") })));
  assert.match(error.message, /MyErr: mine/);
  const data = error.toJSON();
  assert.deepEqual([data.error.name, data.cause.name, data.error.cause.name], ["MyErr", "MyErr", "MyErr"]);
  assert.equal((await failed(thrower(new ServiceError("Error")))).toJSON().error.name, "Error");
  assert.equal((await failed(thrower(new Error("plain")))).toJSON().error.name, "Error");
});

test("whatever a response holds, its failure is plain data", async () => {
  const cycle = { Table: { TableStatus: "LOST" } };
  cycle.self = cycle;
  cycle.list = [cycle, 1];
  let deep = {};
  for (let level = 0; level < 1000; level++) deep = { deep };
  let wide = [];
  for (let level = 0; level < 30; level++) wide = [wide, wide];
  const odd = {
    cycle,
    deep,
    call() {},
    symbol: Symbol("s"),
    nan: Number.NaN,
    map: new Map([["a", 1], [2, 3]]),
    set: new Set([1, 2]),
    big: 2n ** 70n,
    surrogate: "\ud800",
    error: new TypeError("inner", { cause: cycle }),
    invalid: new Date(Number.NaN),
    get broken() {
      throw new Error("no such luck");
    },
    ...table("LOST"),
    wide,
  };
  const error = await failed(() => odd);
  const data = error.toJSON();
  const { response } = data;
  assert.deepEqual(response.cycle, { Table: { TableStatus: "LOST" }, self: "<circular>", list: ["<circular>", 1] });
  assert.deepEqual([response.nan, response.invalid, response.set, response.map, response.big], [null, null, [1, 2], { a: 1 }, 2 ** 70]);
  assert.deepEqual([response.error.name, response.error.message, response.call], ["TypeError", "inner", null]);
  assert.match(JSON.stringify(response.deep), /<too deep>/);
  assert.match(JSON.stringify(response.wide), /<too large>/);
  assert.ok(JSON.stringify(error).length < 10_000_000);
  assert.deepEqual(structuredClone(data), data);
  assert.equal((await posted(error)).message, error.message);
});

test("arrays end where they go too far, holes or not; holes are null", async () => {
  const sparse = [];
  sparse.length = 2 ** 32 - 1;
  const thrown = Object.assign(new ServiceError("Sparse"), { holes: [, 1, , 2], sparse });
  const { holes, sparse: list } = (await failed(thrower(thrown))).toJSON().error;
  assert.deepEqual([holes, Object.keys(holes)], [[null, 1, null, 2], ["0", "1", "2", "3"]]);
  assert.equal(list.at(-1), "<too large>");
  assert.ok(list.length <= 100_001 && list.slice(0, -1).every((item) => item === null), `${list.length} items`);
  const full = (await failed(() => ({ ...table("LOST"), list: new Array(200_000).fill(0), more: [1] }))).toJSON().response;
  assert.deepEqual([full.list.length < 100_001, full.list.at(-1), full.more], [true, "<too large>", "<too large>"]);
});

test("an object ends where it goes too far, too: after the same member as in Python", async () => {
  const wide = Object.fromEntries(Array.from({ length: 100_005 }, (_, index) => [`m${index}`, index]));
  const { response } = (await failed(() => ({ ...table("LOST"), wide }))).toJSON();
  const members = Object.entries(response.wide);
  assert.deepEqual([members.length, members.at(-2)[1], members.at(-1)[1]], [99_997, 99_995, "<too large>"]);
});

test("functions are null, and methods are left out", async () => {
  class Odd {
    handler = () => {};
  }
  const error = Object.assign(new ServiceError("Odd"), { handler() {} });
  const { response } = (await failed(() => ({ ...table("LOST"), call() {}, list: [() => {}], odd: new Odd(), error }))).toJSON();
  assert.deepEqual([response.call, response.list, response.odd, "handler" in response.error], [null, [null], {}, false]);
});

test("unreadable members are marked", async () => {
  let reads = 0;
  const once = { get Table() { return reads++ === 0 ? { TableStatus: "LOST" } : (() => { throw new Error("gone") })(); } };
  const error = await failed(() => new Proxy(once, {}));
  const { response } = error.toJSON();
  assert.match(JSON.stringify(response), /unreadable: gone/);
});

test("the error itself is posted with its message and its stack, which has the cause in one line", async () => {
  const error = await failed(thrower(new ServiceError("AccessDenied", "no\nand no")));
  for (const copy of [structuredClone(error), await posted(error)]) {
    assert.ok(copy instanceof Error);
    assert.deepEqual([copy.message, copy.stack, "cause" in copy], [error.message, error.stack, false]);
    const [cause, call] = copy.stack.split("\n").slice(-3);
    assert.equal(cause, "    cause: AccessDenied: no and no");
    assert.match(call, /^ {6}at /);
  }
});

test("a cause that cannot be posted does not keep its error from being posted", async () => {
  const circular = new Error("circular");
  circular.cause = { circular };
  const gone = new Uint8Array(8);
  structuredClone(gone, { transfer: [gone.buffer] });
  const proxies = [new Proxy({ a: 1 }, {}), new Proxy(new Error("p"), {}), { a: [new Proxy([], {})] }];
  for (const thrown of [circular, ...proxies, gone, () => 1, Symbol("s"), { call() {} }, Object.assign([], { call() {} }), new Error("outer", { cause: () => 1 })]) {
    const error = await failed(thrower(thrown));
    assert.ok(error instanceof WaiterFailed);
    assert.equal(error.cause, thrown);
    assert.ok(Object.hasOwn(error, "cause"));
    assert.equal((await posted(error)).message, error.message);
    assert.ok(inspect(error).includes(error.message));
    JSON.stringify(error);
  }
});

test("an uncaught error prints its message and at most ten lines", async () => {
  const deep = async (depth, call) => (depth === 0 ? failed(call) : [await deep(depth - 1, call)][0]);
  const cause = Object.assign(new ServiceError("AccessDenied", `no${"!".repeat(5000)}`), { $metadata: { httpStatusCode: 403 } });
  for (const call of [() => table("LOST"), thrower(cause), thrower("x")]) {
    const error = await deep(12, call);
    // The output of Node.
    const [message, ...lines] = inspect(error, { customInspect: false, depth: 5 }).split("\n");
    assert.ok(message.endsWith(error.message));
    assert.ok(lines.length <= 10, lines.join("\n"));
    assert.ok(lines.every((line) => line.length < 300));
    assert.equal(lines.some((line) => line.startsWith("    cause: ")), "cause" in error);
    assert.ok(lines.includes(`  code: '${error.code}',`) || lines.includes(`  code: '${error.code}'`));
  }
});

test("an outcome prints as one line without the response", async () => {
  const waiter = new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }, { name: "TableExists" });
  const outcome = await waiter.wait(async () => ({ secret: "hunter2" }), { maxWaitTime: 60, label: "orders", clock: new FakeClock() });
  const line = "TableExists orders: was already in its state after 0 s and 1 attempt";
  assert.deepEqual([inspect(outcome), String(outcome)], [line, line]);
  assert.deepEqual(Object.keys(outcome).includes("toString"), false);
});

test("a thrown value without a message is shown with its content", async () => {
  const shown = async (thrown) => (await failed(thrower(thrown))).message.split(": ").slice(1).join(": ");
  assert.equal(await shown(new Response(null, { status: 409, statusText: "In Use" })), "the call failed: Response: 409 In Use");
  const missing = (text) => `the resource does not exist: ${text} (to keep waiting for it, set \`notFoundFor\`)`;
  assert.equal(await shown(new Response(null, { status: 404 })), missing("Response: 404"));
  assert.equal(await shown({ status: 404, body: "nope" }), missing('Object: {"status":404,"body":"nope"}'));
  assert.equal(await shown({ status: 400, body: "nope" }), 'the call failed: Object: {"status":400,"body":"nope"}');
  assert.match(await shown({ text: "a".repeat(1000) }), /"a{150,}\u2026$/);
});

test("errors of the caller are plain data, too", () => {
  const json = (action) => JSON.parse(JSON.stringify(thrownBy(action)));
  assert.deepEqual(json(() => tableExists().start({ maxWaitTime: -1 })), {
    name: "OptionsError",
    message: "`maxWaitTime` must be more than 0 and at most 315360000 seconds (ten years), got -1",
    code: "invalid_option",
    option: "maxWaitTime",
  });
  const { name, code, path, column } = json(() => new Waiter({ acceptors: [{ state: "success", matcher: { output: { path: "a.", expected: "", comparator: "stringEquals" } } }] }));
  assert.deepEqual([name, code, path, typeof column], ["DefinitionError", "invalid_expression", "acceptors[0].matcher.output.path", "number"]);
  assert.equal(json(() => search("a.", 1)).name, "ExpressionError");
  assert.deepEqual(Object.keys(json(() => tableExists().resume("{}"))), ["name", "message", "code"]);
  assert.ok(thrownBy(() => tableExists().resume("{}")) instanceof StateError);
});

test("an option that is misspelt is answered with the one that is near", () => {
  const message = (options) => thrownBy(() => tableExists().start({ maxWaitTime: 1, ...options })).message;
  assert.equal(message({ maxWait: 5 }), "`maxWait` is not an option, did you mean `maxWaitTime`?");
  assert.equal(message({ timeout: 5 }), "`timeout` is not an option, did you mean `maxWaitTime`?");
  assert.equal(message({ mindelay: 5 }), "`mindelay` is not an option, did you mean `minDelay`?");
  assert.equal(message({ max_attempts: 5 }), "`max_attempts` is not an option, did you mean `maxAttempts`?");
  assert.equal(message({ histroyLimit: 5 }), "`histroyLimit` is not an option, did you mean `historyLimit`?");
  assert.equal(message({ something: 5 }), "`something` is not an option");
  assert.equal(message({ abortSignal: null }), "`abortSignal` is not an option");
  assert.equal(thrownBy(() => tableExists().attempts(() => 1, { maxWaitTime: 1, onAttempt() {} })).message, "`onAttempt` is an option of `wait` only");
  assert.ok(thrownBy(() => new Waiter("{}", { nam: "a" })) instanceof OptionsError);
});

test("numbers that JSON does not have are refused by their place", () => {
  const refused = (definition) => {
    const { code, path, message } = thrownBy(() => new Waiter(definition));
    return [code, path, message];
  };
  assert.deepEqual(refused({ acceptors: [], minDelay: Number.NaN }), ["invalid_json", "minDelay", "`minDelay` must be a JSON number, got NaN"]);
  const matcher = { success: Number.POSITIVE_INFINITY };
  const path = "acceptors[0].matcher.success";
  assert.deepEqual(refused({ acceptors: [{ state: "success", matcher }] }), ["invalid_json", path, `\`${path}\` must be a JSON number, got Infinity`]);
});
