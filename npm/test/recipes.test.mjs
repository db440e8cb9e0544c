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

/** Answers for the operation that is repeated, and for the others. The last answer is repeated. */
class Script {
  asked = new Map();
  #answers;

  constructor(recipe, { answers }) {
    this.recipe = recipe;
    this.#answers = answers.flatMap((one) => (isRepeated(one) ? Array(one[1]).fill(one[0]) : [one]));
  }

  ask(operation) {
    this.asked.set(operation, (this.asked.get(operation) ?? 0) + 1);
    const { poll, others, answer } = this.recipe;
    if (operation !== poll) return others[operation];
    const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    const isError = typeof next === "number" || next?.error !== undefined && Object.keys(next).length === 1;
    return isError ? next : JSON.parse(JSON.stringify(answer).replace('"$"', () => JSON.stringify(next)));
  }
}

const isRepeated = (one) => Array.isArray(one) && one.length === 2 && typeof one[1] === "number";

/** Returns an answer of the script, or throws an error with its code as the name. */
function answer(script, operation, members) {
  const found = script.ask(operation);
  if (found.error === undefined || operation !== script.recipe.poll || Object.keys(found).length > 1) return found;
  throw Object.assign(new Error("not there"), { name: found.error, ...members });
}

/** Stands for the clients of AWS. Each call that is repeated must have a signal. */
const aws = (script) => ({
  async send(command, options) {
    const operation = command.constructor.name.replace(/Command$/, "");
    if (operation === script.recipe.poll) assert.ok(options.abortSignal instanceof AbortSignal);
    return answer(script, operation, { $fault: "client", $metadata: { httpStatusCode: 400 } });
  },
});

/** Stands for the clients of Kubernetes and of a queue. */
const client = (script) => new Proxy({}, { get: (_, method) => async () => answer(script, method) });

const fetching = (script) => async (url, { signal }) => {
  assert.ok(signal instanceof AbortSignal);
  const found = script.ask(`GET ${new URL(url).pathname}`);
  if (typeof found === "number") return new Response(null, { status: found });
  if (found.error === undefined) return Response.json(found);
  throw Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("connect"), { code: found.error }) });
};

/** Runs a block, and returns its end and its words. */
async function run(recipe, script) {
  const block = BLOCKS.get(recipe.title);
  const commands = [...new Set(block.match(/\b\w+Command\b/g))];
  const classes = commands.map((name) => new Function(`return class ${name} { constructor(input) { this.input = input; } }`)());
  const services = ["acm", "cloudformation", "cloudfront", "ec2", "ecs", "eks", "rds"];
  const scope = {
    ...Object.fromEntries(commands.map((name, at) => [name, classes[at]])),
    ...Object.fromEntries(services.map((name) => [name, aws(script)])),
    ...Object.fromEntries(["apps", "batch", "custom", "queue"].map((name) => [name, client(script)])),
    fetch: fetching(script),
    Waiter: virtual(),
    ...recipe.names,
  };
  const AsyncFunction = (async () => {}).constructor;
  try {
    await new AsyncFunction(...Object.keys(scope), block)(...Object.values(scope));
  } catch (error) {
    if (error instanceof WaiterError) return [error.code, `${error.message} ${error.details}`];
    if (!(error instanceof WaitersFailed)) throw error;
    return [[...error.failures].map(([one, { code }]) => `${one}: ${code}`).join(", "), error.message];
  }
  return ["success", ""];
}

/** Returns `Waiter` with waits and fleets on a clock of their own. */
function virtual() {
  const clock = new FakeClock();
  return {
    until(...given) {
      const waiter = Waiter.until(...given);
      const wait = (call, options) => Waiter.prototype.wait.call(waiter, call, { ...options, clock });
      const fleet = (call, options) => Waiter.prototype.fleet.call(waiter, call, { ...options, clock });
      return Object.assign(Object.create(waiter), { wait, fleet });
    },
  };
}

test("each recipe has a block and scripts", () => {
  assert.deepEqual([...BLOCKS.keys()].toSorted(), RECIPES.map(({ title }) => title).toSorted());
});

for (const recipe of RECIPES) {
  for (const script of recipe.scripts) {
    test(`${recipe.title}: ${script.name}`, async () => {
      const answers = new Script(recipe, script);
      const [end, words] = await run(recipe, answers);
      const calls = answers.asked.get(recipe.poll);
      assert.deepEqual([end, calls], [script.end, script.calls ?? calls], words);
      assert.ok(words.includes(script.words ?? ""), words);
      assert.ok(answers.asked.has(script.asked ?? recipe.poll));
    });
  }
}
