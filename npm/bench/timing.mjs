/**
 * Contestants that take turns in one process.
 *
 * A contestant is a function that runs something as often as its argument says, and returns how long that took, in milliseconds.
 */

const TURNS = 31;
const TURN_MS = 8;

/** The real clock, whatever a benchmark puts in its place. */
export const now = performance.now.bind(performance);

/** The newest result, so that no work can be left out as of no use. */
export let result;

/** A contestant that calls a function. */
export const calls = (run) => (runs) => {
  const begun = now();
  for (let made = 0; made < runs; made++) result = run();
  return now() - begun;
};

/** A contestant that awaits what a function returns. */
export const awaits = (run) => async (runs) => {
  const begun = now();
  for (let made = 0; made < runs; made++) await run();
  return now() - begun;
};

/** Prints one case: the median time that each contestant takes for one of the `parts` of a run, in nanoseconds. */
export async function figure(name, size, contestants, parts = 1) {
  const entries = [];
  for (const [contestant, run] of Object.entries(contestants)) entries.push({ contestant, run, runs: await fit(run), times: [] });
  for (let turn = 0; turn < TURNS; turn++) {
    for (const { run, runs, times } of entries) times.push(((await run(runs)) * 1e6) / runs / parts);
  }
  const medians = entries.map(({ contestant, times }) => [contestant, Math.round(median(times) * 10) / 10]);
  console.log(JSON.stringify({ case: name, size, ...Object.fromEntries(medians) }));
}

/** How many runs fill a turn; finding out warms up, too. */
async function fit(run) {
  let runs = 1;
  while ((await run(runs)) < TURN_MS / 2) runs *= 2;
  return runs;
}

export function median(times) {
  const [low, high] = [(times.length - 1) >> 1, times.length >> 1];
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[low] + sorted[high]) / 2;
}
