import assert from "node:assert/strict";
import { test } from "node:test";
import { DefinitionError, Waiter } from "smithy-waiters";
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
