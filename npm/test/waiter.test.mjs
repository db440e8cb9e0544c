/** Definitions and models that cannot be read, and the options of a waiter. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DefinitionError, Operation, Paginator, Waiter } from "smithy-waiters";
import { TABLE_EXISTS, thrownBy } from "./definitions.mjs";

const refusal = (definition, options) => {
  const error = thrownBy(() => new Waiter(definition, options));
  assert.ok(error instanceof DefinitionError, `${error}`);
  return error;
};

test("a definition that is not JSON is refused with the reason", () => {
  const cyclic = { acceptors: [] };
  cyclic.acceptors.push(cyclic);
  for (const definition of ["{", cyclic, { acceptors: 1n }, { toJSON() { throw null; } }]) {
    const error = refusal(definition);
    assert.equal(error.code, "invalid_json");
    assert.match(error.message, /^the definition is not JSON: [^\n]+$/);
  }
});

test("a definition that has no JSON is refused", () => {
  for (const definition of [undefined, () => {}, Symbol("x")]) assert.equal(refusal(definition).code, "wrong_type", String(definition));
});

test("a definition that is nested too deep is refused", () => {
  let deep = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assert.equal(refusal({ acceptors: deep }).code, "invalid_json");
});

test("a name that is no text and unknown options are refused", () => {
  assert.equal(refusal(TABLE_EXISTS, { name: 5 }).code, "invalid_name");
  assert.throws(() => new Waiter(TABLE_EXISTS, { Name: "X" }), { name: "OptionsError", code: "unknown_option", option: "Name" });
});

const MODEL = { shapes: { "a#DescribeTable": { type: "operation", traits: { "smithy.waiters#waitable": { TableExists: TABLE_EXISTS } } } } };

test("a text is the model itself, and not where it is", () => {
  for (const make of [() => Waiter.fromModel("dynamodb.json", "A"), () => Operation.fromModel("dynamodb.json", "A"), () => Paginator.fromModel("dynamodb.json", "A")]) {
    const { code, message } = thrownBy(make);
    assert.equal(code, "invalid_json");
    assert.match(message, /; pass the text of the model, not its path$/);
  }
  assert.doesNotMatch(thrownBy(() => Waiter.fromModel(" ", "A")).message, /path/);
  assert.throws(() => Waiter.fromModel({ shapes: 1n }, "A"), { name: "DefinitionError", code: "invalid_json" });
});

test("options of a model's waiter are checked", () => {
  assert.throws(() => Waiter.fromModel(MODEL, "TableExists", { name: "Other" }), { code: "unknown_option", option: "name" });
  const waiter = Waiter.fromModel(MODEL, "TableExists", { errorNames: () => ["ResourceNotFoundException"] });
  assert.equal(waiter.evaluate({ error: new Error() }).state, "retry");
});
