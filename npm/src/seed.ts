/** A seed, where the caller gives none: 53 bits, as many as a number holds exactly. */
export function drawnSeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
