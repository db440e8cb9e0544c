/** The blocks for JavaScript of `docs/recipes.md`, on the scripts of `tests/recipes.json`. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { Waiter, WaiterError, WaitersFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const read = (path) => readFileSync(join(process.env.SMITHY_WAITERS_PROJECT, path), "utf8");
const RECIPES = JSON.parse(read("tests/recipes.json"));
const SECTIONS = read("docs/recipes.md").split("\n### ").slice(1);
const BLOCKS = new Map(SECTIONS.map((section) => [section.split("\n")[0], section.split("```js\n")[1].split("```\n")[0]]));
const AsyncFunction = (async () => {}).constructor;

const isRepeated = (one) => Array.isArray(one) && one.length === 2 && typeof one[1] === "number";

/** Returns a function that answers by operation. The last answer of the operation that is repeated is repeated. */
function service({ poll, others, answer }, { answers }, asked) {
  const left = answers.flatMap((one) => (isRepeated(one) ? Array(one[1]).fill(one[0]) : [one]));
  return (operation, signal) => {
    asked.push(operation);
    if (operation !== poll) return others[operation];
    assert.ok(signal instanceof AbortSignal);
    const next = left.length > 1 ? left.shift() : left[0];
    if (next?.error !== undefined) {
      // As the messages of the client of Kubernetes.
      const message = typeof next.error === "number" ? `HTTP-Code: ${next.error}` : "not there";
      throw Object.assign(new Error(message), { name: next.error, code: next.error, headers: {} });
    }
    return JSON.parse(JSON.stringify(answer).replace('"$"', () => JSON.stringify(next)));
  };
}

/** Returns the names that a block uses: the clients, the classes of commands, and `Waiter` with a virtual clock. */
function scope(block, ask) {
  const commands = [...new Set(block.match(/\b\w+(?=Command\b)/g))];
  const aws = { send: async (operation, options) => ask(`${operation}`, options?.abortSignal) };
  const client = new Proxy({}, { get: (_, method) => async () => ask(method, AbortSignal.abort()) });
  const clock = new FakeClock();
  const virtual = (factory) => (...given) => {
    const waiter = Waiter[factory](...given);
    const onClock = (method) => (call, options) => waiter[method](call, { ...options, clock });
    return { wait: onClock("wait"), fleet: onClock("fleet") };
  };
  const fetch = async (url, { signal }) => {
    try {
      const found = ask(`GET ${new URL(url).pathname}`, signal);
      return found.page === undefined ? Response.json(found) : new Response(found.page);
    } catch (error) {
      if (typeof error.name === "number") return new Response(null, { status: error.name });
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: error.name } });
    }
  };
  const services = ["acm", "cloudformation", "cloudfront", "ec2", "ecs", "eks", "rds"].map((name) => [name, aws]);
  const clients = ["apps", "batch", "custom", "queue"].map((name) => [name, client]);
  const classes = commands.map((name) => [`${name}Command`, class { toString = () => name; }]);
  return { ...Object.fromEntries([...services, ...clients, ...classes]), fetch, Waiter: { preset: virtual("preset"), until: virtual("until") } };
}

for (const recipe of RECIPES) {
  for (const script of recipe.scripts) {
    test(`${recipe.title}: ${script.name}`, async () => {
      const [asked, block] = [[], BLOCKS.get(recipe.title)];
      const names = { ...scope(block, service(recipe, script, asked)), ...recipe.names };
      const run = new AsyncFunction(...Object.keys(names), block)(...Object.values(names));
      const error = await run.then(() => ({ code: "success", message: "" }), (failure) => failure);
      if (error instanceof Error) assert.ok(error instanceof WaiterError || error instanceof WaitersFailed, error);
      const failures = [...(error.failures ?? [])].map(([one, { code }]) => `${one}: ${code}`).join(", ");
      const [words, calls] = [`${error.message} ${error.details}`, asked.filter((one) => one === recipe.poll).length];
      assert.deepEqual([error.code ?? failures, calls], [script.end, script.calls ?? calls], words);
      assert.ok(words.includes(script.words ?? ""), words);
      assert.ok(asked.includes(script.asked ?? recipe.poll));
    });
  }
}
