/**
 * The measurement of contestants, which take turns in one process.
 *
 * A contestant is a function that receives a number of runs, performs them, and returns their duration in milliseconds.
 */

const TURNS = 31;
const TURN_MS = 8;

/** The real clock, also in benchmarks that replace `performance.now`. */
export const now = performance.now.bind(performance);

/** The newest result. It is exported so that the compiler cannot eliminate the measured code. */
export let result;

/** Returns a contestant that calls a function. */
export const calls = (run) => (runs) => {
  const start = now();
  for (let count = 0; count < runs; count++) result = run();
  return now() - start;
};

/** Returns a contestant that awaits the result of a function. */
export const awaits = (run) => async (runs) => {
  const start = now();
  for (let count = 0; count < runs; count++) await run();
  return now() - start;
};

/** Prints the result of a case: the median time of each contestant for one of the `parts` of a run, in nanoseconds. */
export async function figure(name, size, contestants, parts = 1, turns = TURNS) {
  const entries = [];
  for (const [contestant, run] of Object.entries(contestants)) entries.push({ contestant, run, runs: await fit(run), times: [] });
  for (let turn = 0; turn < turns; turn++) {
    for (const { run, runs, times } of entries) times.push(((await run(runs)) * 1e6) / runs / parts);
  }
  const medians = entries.map(({ contestant, times }) => [contestant, Math.round(median(times) * 10) / 10]);
  console.log(JSON.stringify({ case: name, size, ...Object.fromEntries(medians) }));
}

/** Returns the number of runs that fill a turn. Determining it also warms up the contestant. */
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
