import { asked } from "./errors.js";
import { filled, hold, release } from "./kernel.js";

/** What the engine makes of one or two values, which stand in slots for so long. */
export function inSlots<T>(make: (first: number, second: number) => T, first: unknown, second?: unknown): T {
  const base = filled();
  try {
    return asked(() => make(hold(first), hold(second)));
  } finally {
    release(base);
  }
}
