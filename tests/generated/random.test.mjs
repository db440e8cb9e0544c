/**
 * Compares generated TypeScript with the interpreter on random responses, which do not always have the shape of the model.
 *
 * The program `RANDOM` creates the responses with the interpreter's verdicts; `ROUNDS` is the number of rounds.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { after, test } from "node:test";

const { RANDOM: program, ROUNDS: rounds = "1", MODELS: models } = process.env;

/** The number of responses for each waiter in a round. */
const COUNT = 40;

let looked = 0;

for (const model of models.split(":")) {
  const name = basename(model).replace(/\.\w+$/, "");
  test(`random responses of ${name}`, async () => {
    const matchers = await import(`./out/plain/${name}.js`);
    for (let seed = 0; seed < Number(rounds); seed += 1) {
      for (const line of responses(model, seed)) looked += agree(matchers, JSON.parse(line, hosted));
    }
  });
}

after(() => console.log(`random responses: ${looked} as the interpreter`));

function responses(model, seed) {
  const maxBuffer = 2 ** 29;
  return execFileSync(program, ["responses", model, String(COUNT), String(seed)], { encoding: "utf8", maxBuffer }).split("\n").filter(Boolean);
}

/** Converts a JSON value to a client's value: a string may represent bytes or a time. */
function hosted(_name, value) {
  if (typeof value !== "string") return value;
  const [, kind, told] = /^(bytes|time):(.*)$/.exec(value) ?? [];
  if (kind === "bytes") return new Uint8Array(Buffer.from(told, "base64"));
  return kind === "time" ? new Date(Number(told) * 1000) : value;
}

/** Checks that both agree on all cases, and returns the number of cases. */
function agree(matchers, { waiter, cases }) {
  const match = matchers[`match${waiter[0].toUpperCase()}${waiter.slice(1)}`] ?? (() => undefined);
  for (const { input, output, acceptor } of cases) {
    const got = match(output, input) ?? null;
    if (got !== acceptor) assert.fail(`${waiter}: ${got}, not ${acceptor}, of ${JSON.stringify({ input, output })}`);
  }
  return cases.length;
}
