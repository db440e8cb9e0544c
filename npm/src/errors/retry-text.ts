/**
 * The engine's messages about retries.
 *
 * @module
 */

import { retryText as engineText } from "../engine/engine.js";
import { ready } from "../engine/load.js";

/** Returns the message under a code: that of a `TokenError`, or `"max_retries"` for a strategy without retries. */
export function retryText(code: "foreign_token" | "max_retries" | "used_token"): string {
  ready();
  return engineText(code);
}
