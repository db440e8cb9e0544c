/** Pagination with a real server, called with `fetch`. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { OptionsError, Paginator } from "smithy-waiters";
import { thrownBy } from "./definitions.mjs";
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

test("items of all pages, and the caller's input stays as it is", async () => {
  await served([page([1, 2], "a"), page([], "b"), page([3])], async (server) => {
    const input = Object.freeze({ Table: "t" });
    assert.deepEqual(await collect(new Paginator(TRAIT).items(posting(server.url), input)), [1, 2, 3]);
    assert.deepEqual(inputs(server), [{ Table: "t" }, { Table: "t", Token: "a" }, { Table: "t", Token: "b" }]);
  });
});

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

test("a page size has the type of the operation's member", async () => {
  const sent = async (paginator, pageSize) => {
    const inputs = [];
    for await (const _ of paginator.pages((input) => (inputs.push(input), {}), {}, { pageSize }));
    return inputs[0];
  };
  const [strings, integers] = ["String", "Integer"].map((type) => Paginator.fromModel(LISTING(type), "List"));
  assert.deepEqual([strings.pageSizeType, integers.pageSizeType, new Paginator(TRAIT).pageSizeType], ["string", "integer", undefined]);
  assert.deepEqual(await sent(strings, 100), { MaxItems: "100" });
  assert.deepEqual(await sent(strings, "100"), { MaxItems: "100" });
  assert.deepEqual(await sent(strings, (page) => page), { MaxItems: "1" });
  assert.deepEqual(await sent(integers, 100), { MaxItems: 100 });
  assert.deepEqual(await sent(new Paginator(TRAIT), "100"), { Max: "100" });
  assert.throws(() => integers.pages(() => ({}), {}, { pageSize: "100" }), { name: "OptionsError", option: "pageSize" });
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

test("an invalid signal is refused before the first page", () => {
  const error = thrownBy(() => new Paginator(TRAIT).pages(() => ({}), {}, { abortSignal: 5 }), OptionsError);
  assert.equal(error.message, "`abortSignal` must be an `AbortSignal`, got 5");
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

test("invalid options are refused before the first page", () => {
  const paginator = new Paginator({ inputToken: "T", outputToken: "N", items: "I" });
  const refused = (...given) => thrownBy(() => paginator.items(...given));
  for (const [options, option] of [
    [{ repeatedToken: "never" }, "repeatedToken"],
    [{ stopWhenNotTruncated: 1 }, "stopWhenNotTruncated"],
    [{ maxItems: -1 }, "maxItems"],
    [{ maxItems: 1.5 }, "maxItems"],
    [{ pageSize: 5 }, "pageSize"],
    [{ limit: 5 }, "limit"],
  ]) {
    const error = refused(() => {}, {}, options);
    assert.ok(error instanceof OptionsError);
    assert.equal(error.option, option);
  }
  assert.ok(refused(5) instanceof TypeError);
  assert.ok(refused(() => {}, 5) instanceof OptionsError);
});
