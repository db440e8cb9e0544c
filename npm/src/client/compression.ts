/**
 * Request compression: the engine decides, the platform's `CompressionStream` compresses.
 *
 * @module
 */

import { callEngine, inSlots } from "../engine/call.js";
import { STREAMING, STREAMING_OF_KNOWN_LENGTH } from "../engine/constants.js";
import { EngineCompression } from "../engine/engine.js";
import { checkBoolean, checkInteger, checkNames, checkObject } from "../values/checks.js";

/** The two settings, of a client or of one request: what a request does not set is its client's. */
export interface CompressionSettings {
  /** Whether nothing is compressed; false without it. */
  readonly disableRequestCompression?: boolean | undefined;
  /** The least size of a whole body that is compressed, in bytes, from 0 to 10485760; 10240 without it. It does not count where the input has a stream. */
  readonly requestMinCompressionSizeBytes?: number | undefined;
}

/** What is to be sent: as a whole, or as a stream. */
export type RequestBody = ArrayBuffer | ArrayBufferView | AsyncIterable<Uint8Array> | Blob | ReadableStream<Uint8Array> | string;

/** How one body is compressed. */
export interface CompressOptions extends CompressionSettings {
  /** The request's own `Content-Encoding`: its body is encoded so already. */
  readonly contentEncoding?: string | null | undefined;
  /** Whether the length of a stream has to be known before it is sent (`requiresLength`): it is then not compressed. */
  readonly requiresLength?: boolean | undefined;
}

/** A body as it is to be sent. */
export interface CompressedBody<Body> {
  /** The compressed bytes, a stream of them for a stream; the caller's own body where it is not compressed. */
  readonly body: Body | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  /** By what it was compressed; `undefined` where it was not. */
  readonly encoding: string | undefined;
  /** The `Content-Encoding` to send: after the caller's own codings, in the order they were applied. */
  readonly contentEncoding: string | undefined;
}

/** The encodings that the specification knows, by the platform's own names. */
const PLATFORM: readonly string[] = ["gzip"];

/**
 * A `requestCompression` trait, with the settings of a client.
 *
 * Clause: [Request compression behavior](https://smithy.io/2.0/spec/behavior-traits.html#request-compression-behavior).
 *
 * @example
 * ```js
 * const compression = new RequestCompression(["gzip"]);
 * const { body, contentEncoding } = await compression.compress(JSON.stringify(items));
 * await fetch(url, { method: "POST", body, headers: contentEncoding ? { "Content-Encoding": contentEncoding } : {} });
 * ```
 */
export class RequestCompression {
  readonly #engine: EngineCompression;
  readonly #settings: CompressionSettings;

  /**
   * @param encodings the trait's, in the order of its priority and in any case.
   * @throws DefinitionError for an empty list, OptionsError for invalid settings.
   */
  constructor(encodings: readonly string[], settings: CompressionSettings = {}) {
    checkObject(settings, "the settings");
    const source: unknown = encodings;
    this.#engine = source instanceof EngineCompression ? source : callEngine(() => new EngineCompression(JSON.stringify(source ?? null)));
    this.#settings = { ...settings };
    // Said here, where the client is made, and not with its first request.
    this.encodingOf(0);
  }

  /** The same trait with the settings of a client. Throws an OptionsError where they do not hold. */
  withSettings(settings: CompressionSettings): RequestCompression {
    return new RequestCompression(this.#engine as unknown as string[], settings);
  }

  /**
   * By what a body would be compressed: one of that size in bytes, or a stream.
   *
   * @returns `undefined` where it would not be.
   * @throws OptionsError for settings that do not hold, and for what is no size.
   */
  encodingOf(size: number | "streaming", options: CompressOptions = {}, supported = platformEncodings()): string | undefined {
    checkNames(options, ["contentEncoding", "disableRequestCompression", "requestMinCompressionSizeBytes", "requiresLength"]);
    checkBoolean("requiresLength", options.requiresLength);
    const { disableRequestCompression, requestMinCompressionSizeBytes } = options;
    const request = { disableRequestCompression, requestMinCompressionSizeBytes };
    const streaming = options.requiresLength === true ? STREAMING_OF_KNOWN_LENGTH : STREAMING;
    if (size !== "streaming") checkInteger("size", size, 0);
    const bytes = size === "streaming" ? streaming : size;
    return inSlots((own, client) => this.#engine.encoding(bytes, own, client, supported.join(",")), request, this.#settings);
  }

  /**
   * The body as it is to be sent, and its `Content-Encoding`. To be done before the request is signed. A stream that is
   * compressed is consumed as it is sent, and so cannot be sent again.
   *
   * @param body bytes, a text (as UTF-8), a `Blob`, a `ReadableStream`, or Node's own streams; none stays none.
   * @throws OptionsError for settings that do not hold, TypeError for what is no body: the promise rejects with it.
   */
  async compress<Body extends RequestBody | null | undefined>(body: Body, options: CompressOptions = {}): Promise<CompressedBody<Body>> {
    const existing = options.contentEncoding ?? undefined;
    if (body === undefined || body === null) return { body, encoding: undefined, contentEncoding: existing };
    const whole = wholeOf(body);
    const encoding = this.encodingOf(whole === undefined ? "streaming" : whole.size, options);
    if (encoding === undefined) return { body, encoding, contentEncoding: existing };
    const header = appendEncoding(existing, encoding);
    const compressed = (whole?.stream() ?? streamOf(body)).pipeThrough(gzip(encoding));
    if (whole === undefined) return { body: compressed, encoding, contentEncoding: header };
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    return { body: bytes, encoding, contentEncoding: header };
  }
}

/** The header of a body that was compressed: after the caller's own codings. Empty elements of a list mean nothing. */
function appendEncoding(existing: string | undefined, encoding: string): string {
  const own = existing?.replace(/^[\s,]+|[\s,]+$/g, "");
  return own ? `${own}, ${encoding}` : encoding;
}

/** What this platform compresses by. */
function platformEncodings(): readonly string[] {
  return typeof CompressionStream === "function" ? PLATFORM : [];
}

function gzip(encoding: string): ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource> {
  return new CompressionStream(encoding as CompressionFormat);
}

/** A body that is there as a whole; nothing for a stream. */
function wholeOf(body: RequestBody): Blob | undefined {
  if (body instanceof Blob) return body;
  const isBytes = typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
  return isBytes ? new Blob([body as BlobPart]) : undefined;
}

function streamOf(body: RequestBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (body instanceof ReadableStream) return body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const chunks = (body as Partial<AsyncIterable<Uint8Array<ArrayBuffer>>> | null)?.[Symbol.asyncIterator]?.();
  if (chunks === undefined) throw new TypeError("the body must be bytes, a text, a Blob or a stream");
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? new TextEncoder().encode(value) : value);
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  });
}
