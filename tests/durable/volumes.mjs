// A fleet of volumes with scripted answers, as in `volumes.py`.

import { Waiter } from "smithy-waiters";

export const available = Waiter.until("Volumes[].State", "available", { fail: ["error"], name: "VolumeAvailable" });

export const SHAPE = { items: "Volumes[]", key: "VolumeId", batch: 100 };

// The deadline is out of reach, so that the delays of a killed worker do not change the ends.
export const OPTIONS = { maxWaitTime: 3600, minDelay: 0.1, maxDelay: 0.3 };

/** The number of rounds after which the last volume is available. */
const ROUNDS = 12;

export function names(count) {
  return Array.from({ length: count }, (_, number) => `vol-${number}`);
}

/** Returns the answer to a call of a round, which only depends on its number and on the volumes. */
export function answer(ids, number) {
  return { Volumes: ids.map((id) => ({ VolumeId: id, State: state(Number(id.slice(4)), number) })) };
}

function state(volume, number) {
  if (number <= volume % ROUNDS) return "creating";
  return volume % 50 === 7 ? "error" : "available";
}

/** Returns the code of the end of each volume. */
export function ends(outcomes, failures = new Map()) {
  const of = (entries, codeOf) => [...entries].map(([name, end]) => [name, codeOf(end)]);
  return Object.fromEntries([...of(outcomes, () => null), ...of(failures, ({ code }) => code)]);
}
