/**
 * Benchmark of a fleet with 5,000 members: our time for each poll of each of them. Prints one JSON object; times are in nanoseconds.
 */

import { every, Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { awaits, figure } from "./timing.mjs";

const MEMBERS = 5_000;
const BATCH = 500;

/** The number of polls of each member; the last one succeeds. */
const POLLS = 20;
const DELAY = 60;

const IDS = Array.from({ length: MEMBERS }, (_, number) => `vol-${number.toString(16).padStart(17, "0")}`);

const volumes = (State) => new Map(IDS.map((VolumeId) => [VolumeId, { VolumeId, Size: 8, State }]));
const CREATING = volumes("creating");
const AVAILABLE = volumes("available");

const WAITER = Waiter.until("Volumes[].State", "available", { fail: ["error"] });

/** Returns an answer. */
const describe = async (ids, states) => ({ Volumes: ids.map((id) => states.get(id)) });

/** Makes the calls without a fleet. */
async function bare() {
  for (let poll = 1; poll <= POLLS; poll++) {
    for (let start = 0; start < MEMBERS; start += BATCH) await describe(IDS.slice(start, start + BATCH), poll < POLLS ? CREATING : AVAILABLE);
  }
}

async function engine() {
  const clock = new FakeClock();
  const call = (ids) => describe(ids, clock.now < (POLLS - 1.5) * DELAY ? CREATING : AVAILABLE);
  const fleet = WAITER.fleet(call, { items: "Volumes[]", key: "VolumeId", batch: BATCH, rate: 1000, clock });
  const outcomes = await fleet.waitEach(IDS, { maxWaitTime: 7200, pace: every(DELAY) });
  const attempts = new Set([...outcomes.values()].map((outcome) => outcome.attempts));
  if (attempts.size !== 1 || !attempts.has(POLLS)) throw new Error("another number of attempts");
}

await figure("poll of a member of a fleet", "5,000 members", { bare: awaits(bare), engine: awaits(engine) }, POLLS * MEMBERS, 5);
