/**
 * Warnings about responses that are probably mistakes. The engine adds them to reasons.
 *
 * @module
 */

/** Returns a warning about a `Response` of `fetch` whose body was not read; `undefined` for every other value. */
export function warningOf(response: unknown): string | undefined {
  const isUnread = typeof Response === "function" && response instanceof Response && !response.bodyUsed;
  return isUnread ? "the body of this `Response` was not read: return `await response.json()`" : undefined;
}
