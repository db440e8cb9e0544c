/**
 * The engine's texts of retries.
 *
 * @module
 */

import { retryText as engineText } from "./engine.js";
import { ready } from "./instantiate.js";

/** The texts by the numbers that `bindings-js/src/retry.rs` has too: 1 to 4 are notes of a classification. */
export const FOREIGN_TOKEN = 5;
export const USED_TOKEN = 6;
export const NO_RETRIES = 7;
export type TextNumber = 1 | 2 | 3 | 4 | typeof FOREIGN_TOKEN | typeof NO_RETRIES | typeof USED_TOKEN;

/** Returns the code and the message of a text. */
export function retryText(number: TextNumber): [code: string, message: string] {
  ready();
  return engineText(number) as [string, string];
}
