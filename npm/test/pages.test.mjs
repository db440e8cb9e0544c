/** Walks over the pages of a real server and of functions, and tokens of the types of JavaScript. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { PaginationError, Paginator } from "smithy-waiters";
import { served } from "./server.mjs";

const TRAIT = { inputToken: "Token", outputToken: "Next", items: "Items", pageSize: "Max" };
const page = (Items, Next) => ({ body: { Items, Next } });
const posting = (url) => async (input, { signal }) => {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(input), signal });
  return response.json();
};
const inputs = ({ requests }) => requests.map(({ body }) => JSON.parse(body));
const collect = async (items) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};

test("nothing is sent before the first page is asked for, nor after the last that is wanted", async () => {
  await served([page([1, 2], "a"), page([3], "b")], async (server) => {
    const paginator = new Paginator(TRAIT);
    const pages = paginator.pages(posting(server.url));
    assert.equal(server.requests.length, 0);
    await pages.next();
    assert.equal(pages.nextToken, "a");
    await pages.return();
    assert.deepEqual(await pages.next(), { value: undefined, done: true });
    assert.equal(server.requests.length, 1);
    assert.deepEqual(await collect(paginator.items(posting(server.url), {}, { startToken: "x", maxItems: 1 })), [3]);
    assert.deepEqual(inputs(server).at(-1), { Token: "x" });
  });
});

test("the page itself is given, and not a copy", async () => {
  const given = { Items: [{ Id: 1 }] };
  const { value } = await new Paginator(TRAIT).pages(() => given).next();
  assert.equal(value, given);
  const [item] = await collect(new Paginator(TRAIT).items(() => given));
  assert.equal(item, given.Items[0]);
});

test("changing a page does not change the walk", async () => {
  const scan = new Paginator({ inputToken: "Start", outputToken: "Last", items: "Items" });
  const starts = [];
  const last = [{ Id: { S: "a" }, Path: ["x"] }, { Id: { S: "b" }, Path: [] }, undefined];
  const call = ({ Start }) => (starts.push(structuredClone(Start)), { Last: last[starts.length - 1] });
  for await (const page of scan.pages(call)) {
    if (page.Last !== undefined) Object.assign(page.Last, { Id: null }).Path.push("y");
  }
  assert.deepEqual(starts, [undefined, { Id: { S: "a" }, Path: ["x"] }, { Id: { S: "b" }, Path: [] }]);
});

test("a call that changes its input hides no token that comes back", async () => {
  const scan = new Paginator({ inputToken: "Start", outputToken: "Next" });
  const changing = (input) => {
    if (input.Start) input.Start.id = "other";
    input.Start = undefined;
    return { Next: { id: "a" } };
  };
  await assert.rejects(collect(scan.pages(changing)), { name: "PaginationError", code: "repeated_token" });
  await assert.rejects(collect(scan.pages(changing, { Start: { id: "a" } })), { code: "repeated_token" });
});

test("a repeated token is a member of the error", async () => {
  const pages = new Paginator(TRAIT).pages(() => ({ Next: { Id: "a" } }));
  await assert.rejects(collect(pages), { code: "repeated_token", token: { Id: "a" } });
});

test("the size of a page may change, and items may be a map's", async () => {
  const sizes = [];
  const call = ({ Max }) => {
    sizes.push(Max);
    return sizes.length < 3 ? { Items: { a: 1 }, Next: String(sizes.length) } : { Items: new Map([["b", 2]]) };
  };
  const items = new Paginator(TRAIT).items(call, { Max: 7 }, { pageSize: (page) => (page < 3 ? page : undefined) });
  assert.deepEqual(await collect(items), [["a", 1], ["a", 1], ["b", 2]]);
  assert.deepEqual(sizes, [1, 2, 7]);
});

const LISTING = (type) => ({
  shapes: {
    "demo#List": {
      type: "operation",
      input: { target: "demo#In" },
      output: { target: "demo#Out" },
      traits: { "smithy.api#paginated": { inputToken: "Marker", outputToken: "NextMarker", pageSize: "MaxItems" } },
    },
    "demo#In": { type: "structure", members: { Marker: { target: "smithy.api#String" }, MaxItems: { target: `smithy.api#${type}` } } },
    "demo#Out": { type: "structure", members: { NextMarker: { target: "smithy.api#String" } } },
  },
});

test("a page size has the type of the operation's member", () => {
  const paginators = [...["String", "Integer"].map((type) => Paginator.fromModel(LISTING(type), "List")), new Paginator(TRAIT)];
  assert.deepEqual(paginators.map(({ pageSizeType }) => pageSizeType), ["string", "integer", undefined]);
});

test("a walk is cancelled", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const call = (_, { signal, page }) => {
    assert.equal(signal, controller.signal);
    if (page === 2) controller.abort(reason);
    return { Items: [page], Next: String(page) };
  };
  const seen = [];
  const walk = async () => {
    for await (const item of new Paginator(TRAIT).items(call, {}, { abortSignal: controller.signal })) seen.push(item);
  };
  await assert.rejects(walk, reason);
  assert.deepEqual(seen, [1, 2]);
});

test("a call that fails ends the walk after the pages that were read", async () => {
  const problem = new Error("lost");
  let calls = 0;
  const call = () => {
    if (++calls === 2) throw problem;
    return { Items: [calls], Next: "a" };
  };
  const pages = new Paginator(TRAIT).pages(call);
  assert.deepEqual((await pages.next()).value.Items, [1]);
  await assert.rejects(pages.next(), problem);
});

test("mistakes are refused before the first page", () => {
  const paginator = new Paginator({ inputToken: "T", outputToken: "N", items: "I" });
  for (const option of ["repeatedToken", "stopWhenNotTruncated", "maxItems", "pageSize", "startToken", "limit"]) {
    assert.throws(() => paginator.items(() => {}, {}, { [option]: 1.5 }), { name: "OptionsError", option });
  }
  const signal = { name: "OptionsError", message: "`abortSignal` must be an `AbortSignal`, got 5" };
  assert.throws(() => paginator.pages(() => {}, {}, { abortSignal: 5 }), signal);
  assert.throws(() => paginator.items(() => {}, 5), { name: "OptionsError" });
  assert.throws(() => paginator.items(5), TypeError);
});

class NumericValue {
  type = "bigDecimal";
  constructor(string) {
    this.string = string;
  }
}

class Opaque {
  #secret;
  constructor(secret) {
    this.#secret = secret;
  }
  tell() {
    return this.#secret;
  }
}

/** Returns true if the second token is treated as equal to the first. */
async function comesBack(one, other) {
  const pages = [{ Next: { k: one } }, { Next: { k: other } }, {}];
  let count = 0;
  try {
    for await (const _ of new Paginator(TRAIT).pages(() => pages[count++]));
    return false;
  } catch (error) {
    assert.ok(error instanceof PaginationError, String(error));
    assert.equal(error.code, "repeated_token");
    return true;
  }
}

test("tokens that are not the same", async () => {
  const opaque = new Opaque(1);
  assert.equal(opaque.tell(), 1);
  for (const [one, other] of [
    [2 ** 53, 2n ** 53n + 1n],
    [new NumericValue("0.1"), new NumericValue("0.10000000000000000001")],
    ["\ud800", "\ud801"],
    [new Map([[1, "a"]]), new Map([[1, "a"]])],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [opaque, new Opaque(2)],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Date(1), new Date(2)],
  ]) {
    assert.equal(await comesBack(one, other), false, `${String(one)} ${String(other)}`);
  }
});

test("tokens that are the same", async () => {
  const opaque = new Opaque(1);
  const numbered = new Map([[1, "a"]]);
  for (const [one, other] of [
    [1, 1n],
    [new NumericValue("1.0"), new NumericValue("1.00")],
    [new NumericValue("-1200.50"), -1200.5],
    [{}, new Map()],
    [new NumericValue("0.0"), 0],
    ["\ud800", "\ud800"],
    [numbered, numbered],
    [new NumericValue("9007199254740993"), 2n ** 53n + 1n],
    [new NumericValue("1e3"), 1000],
    [new NumericValue("0.10000000000000000001"), new NumericValue("10.000000000000000001E-2")],
    [opaque, opaque],
    [new Date(1), new Date(1)],
  ]) {
    assert.equal(await comesBack(one, other), true, `${String(one)} ${String(other)}`);
  }
});

test("an empty start token is ignored", async () => {
  for (const startToken of [[], null, undefined]) {
    const asked = [];
    for await (const _ of new Paginator(TRAIT).pages((input) => ({ asked: asked.push(input) }), { Token: "mine" }, { startToken }));
    assert.deepEqual(asked, [{ Token: "mine" }]);
  }
});
