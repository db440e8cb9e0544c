/**
 * The engine's messages about retries.
 *
 * @module
 */

import { retryText as engineText } from "../engine/engine.js";
import { ready } from "../engine/load.js";

/** Returns the code and the message under a number. */
export function retryText(number: number): [code: string, message: string] {
  ready();
  return engineText(number) as [string, string];
}
