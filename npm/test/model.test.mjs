import assert from "node:assert/strict";
import { test } from "node:test";
import { DefinitionError, Operation, Paginator, Waiter } from "smithy-waiters";
import { ACTIVE, TABLE_EXISTS, thrownBy } from "./definitions.mjs";

const model = (waiters) => ({
  smithy: "2.0",
  shapes: {
    "a#Tables": { type: "service", operations: [{ target: "a#DescribeTable" }] },
    "b#Tables": { type: "service", operations: [{ target: "b#DescribeTable" }] },
    "a#DescribeTable": { type: "operation", traits: { "smithy.waiters#waitable": waiters } },
    "b#DescribeTable": { type: "operation", traits: { "smithy.waiters#waitable": { Shared: TABLE_EXISTS } } },
  },
});

const MODEL = model({ TableExists: TABLE_EXISTS, Shared: TABLE_EXISTS });

test("a waiter is found in a model, by its name in any case", () => {
  for (const given of [MODEL, JSON.stringify(MODEL)]) {
    const waiter = Waiter.fromModel(given, "tableexists");
    assert.ok(waiter instanceof Waiter);
    assert.deepEqual([waiter.name, waiter.minDelay, waiter.tags], ["TableExists", 2, ["tables"]]);
    assert.equal(waiter.evaluate({ response: ACTIVE }).state, "success");
  }
});

test("models that are not valid are refused", () => {
  const code = (...given) => {
    const error = thrownBy(() => Waiter.fromModel(...given));
    assert.ok(error instanceof DefinitionError);
    return error.code;
  };
  assert.equal(code({}, "TableExists"), "invalid_model");
  assert.equal(code("{", "TableExists"), "invalid_json");
  assert.equal(code({ shapes: 1n }, "TableExists"), "invalid_json");
});

test("a text is the model itself, and not where it is", () => {
  for (const make of [() => Waiter.fromModel("dynamodb.json", "A"), () => Operation.fromModel("dynamodb.json", "A"), () => Paginator.fromModel("dynamodb.json", "A")]) {
    const { code, message } = thrownBy(make);
    assert.equal(code, "invalid_json");
    assert.match(message, /; pass the text of the model, not its path$/);
  }
  assert.doesNotMatch(thrownBy(() => Waiter.fromModel(" ", "A")).message, /path/);
});

test("options of a model's waiter are checked", () => {
  assert.throws(() => Waiter.fromModel(MODEL, "TableExists", { name: "Other" }), { code: "unknown_option", option: "name" });
  const waiter = Waiter.fromModel(MODEL, "TableExists", { errorNames: () => ["ResourceNotFoundException"] });
  assert.equal(waiter.evaluate({ error: new Error() }).state, "retry");
});
