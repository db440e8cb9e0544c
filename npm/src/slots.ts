import { asked } from "./errors.js";
import { hold } from "./kernel.js";

/** What the engine makes of one or two values, which stand in slots for so long. */
export function inSlots<T>(make: (first: number, second: number) => T, first: unknown, second?: unknown): T {
  return asked(() => make(hold(first), hold(second)));
}
