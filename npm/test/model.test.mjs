import assert from "node:assert/strict";
import { test } from "node:test";
import { Operation, Paginator, Waiter } from "smithy-waiters";
import { TABLE_EXISTS, thrownBy } from "./definitions.mjs";

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
