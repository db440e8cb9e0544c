/**
 * The engine's texts of retries.
 *
 * @module
 */

import { retryText as engineText } from "../engine/engine.js";
import { ready } from "../engine/load.js";

/** Returns the code and the message of a text. */
export function retryText(number: number): [code: string, message: string] {
  ready();
  return engineText(number) as [string, string];
}
