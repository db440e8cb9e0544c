/**
 * What options are called, by the engine and here.
 *
 * @module
 */

/** The engine's options of a wait by the names that JavaScript has for them. */
export const ENGINE_NAMES: Readonly<Record<string, string>> = {
  maxWaitTime: "maxWait",
  attemptTimeout: "attemptTimeout",
  minDelay: "minDelay",
  maxDelay: "maxDelay",
  maxAttempts: "maxAttempts",
  initialDelay: "initialDelay",
  seed: "seed",
  historyLimit: "historyLimit",
  finalPoll: "finalPoll",
  finalPollGrace: "finalPollGrace",
  redact: "redact",
};

/** The engine's options of the other parts, which have its names. */
const OTHER_NAMES = [
  "baseDelay",
  "disableRequestCompression",
  "fixedDelay",
  "maxBackoff",
  "maxRetries",
  "maxRetryAfter",
  "maxTime",
  "refundCost",
  "repeatedToken",
  "requestMinCompressionSizeBytes",
  "retryAfterExcess",
  "retryCost",
  "startToken",
  "stopWhenNotTruncated",
  "successRefund",
  "throttlingBaseDelay",
  "throttlingCost",
  "timeoutCost",
];

/** By the engine's names, and by the words that its messages have for them (`max wait`), which are the same everywhere. */
const OWN_NAMES = new Map(
  [...Object.entries(ENGINE_NAMES), ...OTHER_NAMES.map((name) => [name, name] as const)].flatMap(([own, engine]) => [[engine, own] as const, [inWords(engine), own] as const]),
);

/** Names of more than one word, the longer ones first; not where a name or the caller's own text stands in backticks. */
const IN_WORDS = new RegExp(
  `\`[^\`]*\`|\\b(?:${[...OWN_NAMES.keys()].filter((name) => name.includes(" ")).sort().reverse().join("|")})\\b`,
  "g",
);

/** JavaScript's name of an option of the engine's. */
export function ownName(option: string): string {
  return OWN_NAMES.get(option) ?? option;
}

/** What the engine says of options, by their names here. */
export function inOwnNames(message: string): string {
  return message.replace(IN_WORDS, (found) => (found.startsWith("`") ? found : `\`${ownName(found)}\``));
}

function inWords(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
