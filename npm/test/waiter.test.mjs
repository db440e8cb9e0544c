import assert from "node:assert/strict";
import { test } from "node:test";
import { DefinitionError, Waiter } from "smithy-waiters";
import { matching, TABLE_EXISTS, tableExists } from "./definitions.mjs";

const refusal = (definition, options) => {
  try {
    new Waiter(definition, options);
  } catch (error) {
    assert.ok(error instanceof DefinitionError, `${error}`);
    assert.equal(error.name, "DefinitionError");
    return error;
  }
  return assert.fail("it was not refused");
};

test("a waiter has the attributes of its definition", () => {
  const waiter = tableExists();
  const { name, documentation, deprecated, tags, minDelay, maxDelay } = waiter;
  assert.deepEqual(
    { name, documentation, deprecated, tags, minDelay, maxDelay },
    {
      name: "TableExists",
      documentation: "Waits until a table is there.",
      deprecated: false,
      tags: ["tables"],
      minDelay: 2,
      maxDelay: 20,
    },
  );
});

test("a definition may be its JSON text, and needs no name", () => {
  const waiter = new Waiter(JSON.stringify(TABLE_EXISTS));
  assert.equal(waiter.name, undefined);
  assert.equal(waiter.maxDelay, 20);
});

test("delays have the specification's defaults", () => {
  const { minDelay, maxDelay } = matching("a", "b");
  assert.deepEqual([minDelay, maxDelay], [2, 120]);
});

test("a definition that is not JSON is refused with the reason", () => {
  const cyclic = { acceptors: [] };
  cyclic.acceptors.push(cyclic);
  for (const definition of ["{", cyclic, { acceptors: 1n }, { toJSON() { throw null; } }]) {
    const error = refusal(definition);
    assert.equal(error.code, "invalid_json");
    assert.match(error.message, /^the definition is not JSON: [^\n]+$/);
  }
});

test("a definition that is not a structure is refused", () => {
  for (const definition of [undefined, null, 1, true, [], () => {}, Symbol("x")]) {
    assert.equal(refusal(definition).code, "wrong_type", String(definition));
  }
});

test("an error has the path and the column", () => {
  const error = refusal({ acceptors: [{ state: "success", matcher: { output: { path: "a.[", expected: "x", comparator: "stringEquals" } } }] });
  assert.equal(error.code, "invalid_expression");
  assert.equal(error.path, "acceptors[0].matcher.output.path");
  assert.equal(typeof error.column, "number");
  assert.ok(error.message.startsWith("`acceptors[0].matcher.output.path`: "), error.message);
});

test("a bad name is refused", () => {
  for (const name of ["tableExists", "", "A-b", 5]) assert.equal(refusal(TABLE_EXISTS, { name }).code, "invalid_name");
});

test("an expression that is nested too deep is refused, and the engine goes on working", () => {
  for (const path of ["[".repeat(100_000), "!".repeat(100_000), Array(20_000).fill("a").join(".")]) {
    const definition = { acceptors: [{ state: "success", matcher: { output: { path, expected: "x", comparator: "stringEquals" } } }] };
    refusal(definition);
  }
  assert.equal(tableExists().evaluate({ response: { Table: { TableStatus: "ACTIVE" } } }).state, "success");
});

test("a definition that is nested too deep is refused", () => {
  const text = `{"acceptors":${"[".repeat(100_000)}`;
  assert.equal(refusal(text).code, "invalid_json");
  let deep = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assert.equal(refusal({ acceptors: deep }).code, "invalid_json");
});

test("unknown options of a waiter are refused", () => {
  assert.throws(() => new Waiter(TABLE_EXISTS, { Name: "X" }), { name: "OptionsError", code: "unknown_option", option: "Name" });
});
