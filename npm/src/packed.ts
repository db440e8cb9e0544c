/**
 * How a verdict is packed into a number, as `bindings-js/src/verdict.rs` says: seven codes of reasons at most, each the
 * code's number plus 1, above them the state, whether an acceptor leads to it, and as the sign that further codes were
 * noted.
 *
 * @module
 */

import type { State } from "./verdict.js";

/**
 * The states by their numbers.
 *
 * @internal
 */
export const STATES: readonly State[] = ["success", "failure", "retry"];
export const RETRY = 2;

export const STATE_SHIFT = 28;
export const CODE_BITS = 4;
export const FIRST_CODES = 7;
export const BY_ACCEPTOR = 1 << 30;

/** The state of a verdict. */
export function stateOf(packed: number): State {
  return STATES[(packed >>> STATE_SHIFT) & 3]!;
}

/** The index of the acceptor that matched, the last one that was looked at. */
export function acceptorOf(packed: number, noted: readonly number[]): number | undefined {
  return (packed & BY_ACCEPTOR) === 0 ? undefined : lookedAt(packed, noted) - 1;
}

/** How many acceptors were looked at: one for each code, none of which is 0; noted numbers but the first have one each. */
function lookedAt(packed: number, noted: readonly number[]): number {
  const [next] = noted;
  if (next === undefined) return codesIn(packed & ((1 << STATE_SHIFT) - 1));
  return FIRST_CODES + codesIn(next) + noted.length - 1;
}

function codesIn(word: number): number {
  return (35 - Math.clz32(word)) >> 2;
}
