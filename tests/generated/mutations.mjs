/** Variants of a response, without some members or with the strings of a definition. */

/** The number of variants of each response. */
const COUNT = 20;

export function mutations(response, definition) {
  const random = draws(JSON.stringify(response).length);
  const words = [...JSON.stringify(definition).matchAll(/"expected":"([^"]*)"/g)].map(([, word]) => word);
  return Array.from({ length: COUNT }, () => changed(response, words, random));
}

function changed(value, words, random) {
  if (typeof value === "string") return random() < 0.4 && words.length > 0 ? words[Math.floor(random() * words.length)] : value;
  if (typeof value === "number") return random() < 0.3 ? Math.floor(random() * 3) : value;
  if (typeof value === "boolean") return random() < 0.3 ? !value : value;
  if (Array.isArray(value)) {
    const items = value.filter(() => random() < 0.9).map((item) => changed(item, words, random));
    return random() < 0.1 ? [...items, null] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(() => random() < 0.93);
  return Object.fromEntries(entries.map(([name, member]) => [name, random() < 0.03 ? null : changed(member, words, random)]));
}

/** Creates a seeded generator of random numbers from 0 to 1. */
function draws(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
