/** Links that contain the content of the page. The part after `#` never leaves the browser. */

import { FORMS, INITIAL, LONGEST, MAX_WAITS, PACES, RESULTS, type State } from "./state.js";

/** The version of the format. A page refuses links of later versions. */
const VERSION = 1;

/** The length beyond which programs cut links. */
const LONGEST_LINK = 30_000;

/** The limit of a link's content, so that a small link cannot fill the memory. */
const LARGEST_CONTENT = 16_000_000;

export class LinkError extends Error {}

/**
 * Returns the fragment of a link.
 *
 * @throws LinkError if the content is too large for a link.
 */
export async function fragmentOf(state: State): Promise<string> {
  const bytes = await through(new Blob([JSON.stringify(state)]), new CompressionStream("gzip"), Number.POSITIVE_INFINITY);
  const text = bytes.toBase64 === undefined ? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) : bytes.toBase64();
  const fragment = `#v${VERSION}.${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  if (fragment.length > LONGEST_LINK) {
    throw new LinkError(`This is too large for a link: it would have ${fragment.length.toLocaleString("en")} characters, and at most ${LONGEST_LINK.toLocaleString("en")} are safe. Shorten the response.`);
  }
  return fragment;
}

/** Returns `true` if a fragment is that of a link, even of a damaged one. */
export function isLink(fragment: string): boolean {
  return /^#v?\d/i.test(fragment);
}

/**
 * Returns the content of a link.
 *
 * @throws LinkError if the link is damaged, has a later version, or has a value that the page does not accept.
 */
export async function stateOf(fragment: string): Promise<State> {
  if (Number(/^#v(\d+)/.exec(fragment)?.[1]) > VERSION) {
    throw new LinkError("This link was made by a newer version of this page. Reload the page, or open the link where it was made.");
  }
  const state = await contentOf(/^#v1\.([\w-]+)$/.exec(fragment)?.[1] ?? "");
  const [name, value] = memberOutOfRange(state) ?? [];
  if (name !== undefined) throw new LinkError(`This link has a value that this page does not accept: \`${name}\` is ${JSON.stringify(value).slice(0, 50)}.`);
  return state;
}

async function contentOf(text: string): Promise<State> {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    // The checksum of the format detects a damaged link.
    const content = await through(new Blob([bytes]), new DecompressionStream("gzip"), LARGEST_CONTENT);
    const state: unknown = JSON.parse(new TextDecoder().decode(content));
    if (hasShape(state, INITIAL)) return state as State;
  } catch {
    // The reason does not help: a part of the link is missing or changed.
  }
  throw damaged();
}

function damaged(): LinkError {
  return new LinkError("This link is damaged: a part of it is missing or changed. Copy it again, as a whole.");
}

/** Returns the first member that the fields of the page cannot have. */
function memberOutOfRange({ subject, timing, command }: State): readonly [string, unknown] | undefined {
  const { error, short, name } = subject;
  const isWithin = (number: number, most: number): boolean => number >= 0 && number <= most;
  const members: readonly (readonly [string, unknown, boolean])[] = [
    ["form", subject.form, Object.hasOwn(FORMS, subject.form)],
    ["result", subject.result, Object.hasOwn(RESULTS, subject.result)],
    ["maxWaitTime", timing.maxWaitTime, MAX_WAITS.includes(timing.maxWaitTime)],
    ["changeAt", timing.changeAt, isWithin(timing.changeAt, Math.max(...MAX_WAITS))],
    ["pace", timing.pace, PACES.some(([pace]) => pace === timing.pace)],
    ["seed", timing.seed, Number.isInteger(timing.seed) && isWithin(timing.seed, Number.MAX_SAFE_INTEGER)],
    ...Object.entries({ name, command, ...error }).map(([field, text]) => [field, text, text.length <= LONGEST[field as keyof typeof LONGEST]] as const),
    ...Object.entries(short).map(([field, value]) => [field, value, typeof value === "boolean" || value.length <= LONGEST.short] as const),
  ];
  return members.find(([, , isValid]) => !isValid) as readonly [string, unknown] | undefined;
}

/** Returns `true` if a value has the members of a sample with the same types. */
function hasShape(value: unknown, sample: unknown): boolean {
  if (typeof sample !== "object" || sample === null) return typeof value === typeof sample;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(sample).every(([name, member]) => hasShape((value as Record<string, unknown>)[name], member));
}

async function through(blob: Blob, stream: CompressionStream | DecompressionStream, limit: number): Promise<Uint8Array & { toBase64?(): string }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let reader = blob.stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new LinkError("too large");
    chunks.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
