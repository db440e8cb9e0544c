/**
 * What a caller may have meant by an option that there is not.
 *
 * @module
 */

/** What others call them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  maxwait: "maxWaitTime",
  timeout: "maxWaitTime",
  signal: "abortSignal",
  retries: "maxAttempts",
  onprogress: "onAttempt",
};

/** How many letters may differ. */
const MOST_EDITS = 2;

/** `, did you mean \`maxWaitTime\`?`; nothing where no option is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const name = given.replaceAll("_", "").toLowerCase();
  const alias = OTHER_NAMES[name];
  const near = alias !== undefined && known.includes(alias) ? alias : nearestOption(name, given, known);
  return near === undefined ? "" : `, did you mean \`${near}\`?`;
}

function nearestOption(name: string, given: string, known: readonly string[]): string | undefined {
  // An option of `wait` may be none of `start`.
  return nearest(name, known.filter((other) => other !== given), () => MOST_EDITS);
}

/** The name that is least far from another one, within so many letters. */
export function nearest(name: string, known: readonly string[], most: (other: string) => number): string | undefined {
  const byEdits = known.map((other) => [edits(name, other.toLowerCase()), other] as const);
  const near = byEdits.filter(([distance, other]) => distance <= most(other));
  return near.sort(([one], [other]) => one - other)[0]?.[1];
}

/** The least number of letters to put in, leave out, change or swap with their neighbour; many where the lengths are far apart. */
function edits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_EDITS) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let place = 1; place <= one.length; place++) {
    const next = [place];
    for (let index = 1; index <= other.length; index++) {
      const changed = row[index - 1]! + (one[place - 1] === other[index - 1] ? 0 : 1);
      const isSwapped = place > 1 && index > 1 && one[place - 1] === other[index - 2] && one[place - 2] === other[index - 1];
      const swapped = isSwapped ? before[index - 2]! + 1 : changed;
      next.push(Math.min(changed, swapped, row[index]! + 1, next[index - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
