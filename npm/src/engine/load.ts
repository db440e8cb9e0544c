/**
 * The loading of the engine.
 *
 * @module
 */

import { checkStack, initSync } from "./engine.js";
import { setStackCheck } from "./host-imports.js";

let source: (() => BufferSource | WebAssembly.Module) | undefined;

/** Sets the source of the engine. The engine is compiled on first use, to keep imports fast. */
export function provide(engine: () => BufferSource | WebAssembly.Module): void {
  source = engine;
}

/** Compiles and instantiates the engine, unless that was done before. */
export function ready(): void {
  if (source === undefined) return;
  start(source());
  setStackCheck(checkStack);
  // After the start: if it fails, the next use tries again and reports the same cause.
  source = undefined;
}

function start(engine: BufferSource | WebAssembly.Module): void {
  try {
    initSync({ module: engine });
  } catch (cause) {
    throw loadError(cause);
  }
}

/**
 * Fetches and compiles the engine.
 *
 * @throws Error if the file is not available or cannot be compiled.
 */
export async function fetchEngine(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the engine cannot be loaded: the status of ${url.href} is ${response.status}`);
  // Browsers compile a response while it arrives only if it has this type.
  const canStream = response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
  try {
    return await (canStream ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    throw loadError(cause);
  }
}

/**
 * Returns the error to throw if the engine cannot be compiled. If a Content Security Policy blocks it, the error has the missing
 * directive; browsers throw different errors for it.
 */
function loadError(cause: unknown): unknown {
  if (typeof WebAssembly === "undefined") return new Error("the engine requires WebAssembly, which this platform does not support", { cause });
  const isBlocked = cause instanceof EvalError || (cause instanceof WebAssembly.CompileError && POLICY.test(cause.message));
  return isBlocked ? new Error(BLOCKED, { cause }) : cause;
}

/** Matches the messages of browsers for a block by a Content Security Policy. */
const POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

const BLOCKED =
  "the Content Security Policy blocks the engine: add the directive `script-src 'wasm-unsafe-eval'`";

/** The engine as text. */
type EngineText = Pick<typeof import("./text.js"), "bytes" | "prefixes" | "singles" | "size" | "text">;

/** Decodes the text of the engine. A frequent byte is one character, a rare one is a prefix and a character. */
export function bytesOf({ bytes, prefixes, singles, size, text }: EngineText): Uint8Array<ArrayBuffer> {
  const values = Uint8Array.from(bytes.match(/../g)!, (digits) => parseInt(digits, 16));
  const numbers = new Uint8Array(128);
  for (const [number, character] of [...singles, ...prefixes].entries()) numbers[character.charCodeAt(0)] = number;
  const [single, characters] = [singles.length, singles.length + prefixes.length];
  const decoded = new Uint8Array(size);
  for (let at = 0, place = 0; place < size; place++) {
    let number = numbers[text.charCodeAt(at++)]!;
    if (number >= single) number = single + (number - single) * characters + numbers[text.charCodeAt(at++)]!;
    decoded[place] = values[number]!;
  }
  return decoded;
}
