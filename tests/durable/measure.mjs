// The functions that `overhead.mjs` and `temporal-overhead.mjs` share.

/** Returns the processor time of this process, in seconds. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the median of an odd number of numbers. */
export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
