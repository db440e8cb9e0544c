/**
 * Request compression. The engine selects the encoding, and the platform's `CompressionStream` compresses.
 *
 * @module
 */

import { STREAMING, STREAMING_OF_KNOWN_LENGTH } from "../constants.js";
import { contentEncoding as joinEncodings, EngineCompression } from "../engine/engine.js";
import { checkBoolean, checkObject, countOf, mustBe } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { optionsOf } from "../input/engine-options.js";
import { displayInput } from "../values/display.js";

/** The settings of a client or of one request. A setting of a request overrides that of its client. */
export interface CompressionSettings {
  /**
   * `true` to compress no requests.
   *
   * @default false
   */
  readonly disableRequestCompression?: boolean | undefined;
  /**
   * The minimum size of a body to compress, in bytes, from 0 to 10485760. Streams are compressed regardless of their size.
   *
   * @default 10240
   */
  readonly requestMinCompressionSizeBytes?: number | undefined;
}

/** The body of a request: bytes, text or a stream. */
export type RequestBody = ArrayBuffer | ArrayBufferView | AsyncIterable<Uint8Array> | Blob | ReadableStream<Uint8Array> | string;

/** The options of `RequestCompression#compress`. */
export interface CompressOptions extends CompressionSettings {
  /** The `Content-Encoding` of the body before compression; none by default. */
  readonly contentEncoding?: string | null | undefined;
  /**
   * `true` if the body is a stream with the `requiresLength` trait, which is not compressed.
   *
   * @default false
   */
  readonly requiresLength?: boolean | undefined;
}

/** The result of `RequestCompression#compress`. */
export interface CompressedBody<Body> {
  /** The compressed bytes, or a compressed stream for a stream; the original body if it was not compressed. */
  readonly body: Body | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  /** The encoding of the compression; `undefined` if the body was not compressed. */
  readonly encoding: string | undefined;
  /** The `Content-Encoding` to send: the original one, followed by the encoding of the compression. */
  readonly contentEncoding: string | undefined;
}

/** The encodings of the specification, under the platform's names. */
const PLATFORM: readonly string[] = ["gzip"];

/**
 * A `requestCompression` trait and the settings of a client. See docs/rules.md#compression-encodings.
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
   * Creates a request compression.
   *
   * @param encodings the trait's encodings in order of priority, in any case.
   * @param settings the settings of the client.
   * @throws DefinitionError if the list is empty or invalid, OptionsError if a setting is invalid.
   */
  constructor(encodings: readonly string[], settings: CompressionSettings = {}) {
    checkObject(settings, "the settings");
    const source: unknown = encodings;
    this.#engine = source instanceof EngineCompression ? source : callEngine(() => new EngineCompression(JSON.stringify(source ?? null)));
    this.#settings = { ...settings };
    // Reports invalid settings when the client is created, not with its first request.
    this.encodingOf(0);
  }

  /**
   * Returns a request compression with these encodings and other settings.
   *
   * @throws OptionsError if a setting is invalid.
   */
  withSettings(settings: CompressionSettings): RequestCompression {
    return new RequestCompression(this.#engine as unknown as string[], settings);
  }

  /**
   * Returns the encoding with which a body would be compressed; `undefined` if it would not be compressed.
   *
   * @param size the size of the body in bytes, or `"streaming"` for a stream.
   * @param options the settings of the request.
   * @param supported the encodings that the caller can produce; those of the platform by default.
   * @throws OptionsError if a setting or the size is invalid.
   */
  encodingOf(size: number | "streaming", options: CompressOptions = {}, supported = platformEncodings()): string | undefined {
    const request = optionsOf("compression", options, ["contentEncoding", "requiresLength"]);
    checkBoolean("requiresLength", options.requiresLength);
    const streaming = options.requiresLength === true ? STREAMING_OF_KNOWN_LENGTH : STREAMING;
    const bytes = size === "streaming" ? streaming : countOf("size", size);
    if (bytes === undefined) throw mustBe("size", "count", size);
    return inSlots((own, client) => this.#engine.encoding(bytes, own, client, supported.join(",")), request, this.#settings);
  }

  /**
   * Compresses the body of a request if its size and the settings allow it. Call it before the request is signed.
   *
   * A compressed stream is consumed while it is sent, so it cannot be sent again.
   *
   * @param body bytes, text (encoded as UTF-8), a `Blob`, a `ReadableStream` or a stream of Node; null and undefined are returned
   * unchanged.
   * @param options the settings of the request.
   * @returns a promise of the body to send and its `Content-Encoding`.
   * @throws OptionsError if a setting is invalid, TypeError if the body has another type. The promise rejects with the error.
   */
  async compress<Body extends RequestBody | null | undefined>(body: Body, options: CompressOptions = {}): Promise<CompressedBody<Body>> {
    const existing = options.contentEncoding ?? undefined;
    if (body === undefined || body === null) return { body, encoding: undefined, contentEncoding: existing };
    const whole = wholeOf(body);
    const encoding = this.encodingOf(whole === undefined ? "streaming" : whole.size, options);
    if (encoding === undefined) return { body, encoding, contentEncoding: existing };
    const header = joinEncodings(existing, encoding);
    const compressed = (whole?.stream() ?? streamOf(body)).pipeThrough(gzip(encoding));
    if (whole === undefined) return { body: compressed, encoding, contentEncoding: header };
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    return { body: bytes, encoding, contentEncoding: header };
  }
}

/** Returns the encodings that this platform can produce. */
function platformEncodings(): readonly string[] {
  return typeof CompressionStream === "function" ? PLATFORM : [];
}

function gzip(encoding: string): ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource> {
  return new CompressionStream(encoding as CompressionFormat);
}

/** Returns a body as a `Blob`; `undefined` for a stream. */
function wholeOf(body: RequestBody): Blob | undefined {
  if (body instanceof Blob) return body;
  const isBytes = typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;
  return isBytes ? new Blob([body as BlobPart]) : undefined;
}

function streamOf(body: RequestBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (body instanceof ReadableStream) return body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const chunks = (body as Partial<AsyncIterable<Uint8Array<ArrayBuffer>>> | null)?.[Symbol.asyncIterator]?.();
  if (chunks === undefined) throw new TypeError(`\`body\` must be bytes, a string, a \`Blob\` or a stream, got ${displayInput(body)}`);
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
