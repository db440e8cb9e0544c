/** Links that contain the content of the page. The part after `#` never leaves the browser. */

import { INITIAL, type State } from "./state.js";

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

/**
 * Returns the content of a link.
 *
 * @throws LinkError if the link is damaged or has a later version.
 */
export async function stateOf(fragment: string): Promise<State> {
  const [, version, text] = /^#v(\d+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (version === undefined || text === undefined) throw damaged();
  if (Number(version) > VERSION) {
    throw new LinkError("This link was made by a newer version of this page. Reload the page, or open the link where it was made.");
  }
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
