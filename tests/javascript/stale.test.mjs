// Runs the waits of `stale.json` right after a change: the numbers of wrong ends must be those of every language.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Waiter } from "smithy-waiters";

const { SMITHY_WAITERS_PROJECT: project, SMITHY_WAITERS_STALE_RUNS: runs = "1000" } = process.env;
const { options: shared, rows } = JSON.parse(readFileSync(join(project, "tests", "stale.json"), "utf8"));

const WAITER = Waiter.until("status", "stable", { fail: ["failed"] });

/** The status before the change, and whether some deployments are rolled back. */
const SCENARIOS = [["stable", false], ["stable", true], ["failed", false]];

/** The generator of random numbers of `core/tests/stale.rs`. */
class Random {
  #state;

  constructor(seed) {
    this.#state = BigInt.asUintN(64, BigInt(seed) * 0x9e3779b97f4a7c15n);
  }

  below(limit) {
    let state = this.#state;
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    this.#state = state;
    return Number(state % BigInt(limit));
  }
}

/** A deployment on a service with two replicas, each of which is late by its lag. */
class Deployment {
  constructor(random, [before, rollsBack]) {
    this.before = before;
    this.starts = random.below(5_000);
    this.ends = this.starts + 5_000 + random.below(60_000);
    this.isRolledBack = rollsBack && random.below(3) === 0;
    this.lags = [random.below(20_000), random.below(20_000)];
  }

  answer(now, random) {
    const seen = now - this.lags[random.below(2)];
    if (seen >= this.ends && this.isRolledBack) return { status: "stable", id: "old", generation: 8 };
    if (seen >= this.ends) return { status: "stable", id: "new", generation: 7 };
    if (seen >= this.starts) return { status: "busy", id: "new", generation: 6 };
    return { status: this.before, id: "old", generation: 6 };
  }
}

function endOf(options, deployment, random) {
  const wait = WAITER.start(options);
  let now = 0;
  let step = wait.poll(now);
  while (step.type !== "done") {
    if (step.type === "sleep") {
      now = step.untilMs;
      step = wait.poll(now);
    } else {
      step = wait.handle({ type: "response", response: deployment.answer(now, random) }, now);
    }
  }
  // Nothing is collected before the next turn of the event loop.
  wait.free();
  return step;
}

/** Returns the numbers of wrong successes and of wrong failures. */
function wrongEnds(options, scenario) {
  const wrong = [0, 0];
  for (let seed = 1; seed <= Number(runs); seed++) {
    const random = new Random(seed);
    const deployment = new Deployment(random, scenario);
    const { state, elapsedMs } = endOf({ ...options, seed }, deployment, random);
    if (state === "failure") wrong[1] += deployment.isRolledBack ? 0 : 1;
    else if (elapsedMs < deployment.ends || deployment.isRolledBack) wrong[0] += 1;
  }
  return wrong;
}

for (const { name, options, wrong } of rows) {
  test(`the numbers of wrong ends: ${name}`, () => {
    const { maxWait: maxWaitTime, ...others } = { ...shared, ...options };
    assert.deepEqual(
      SCENARIOS.map((scenario) => wrongEnds({ maxWaitTime, ...others }, scenario)),
      wrong[runs],
    );
  });
}
