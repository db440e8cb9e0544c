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

/**
 * @throws Error with the missing directive if a Content Security Policy blocks the engine. Browsers throw different errors for it.
 */
function start(engine: BufferSource | WebAssembly.Module): void {
  try {
    initSync({ module: engine });
  } catch (cause) {
    if (typeof WebAssembly === "undefined") throw new Error("the engine requires WebAssembly, which this platform does not support", { cause });
    // Browsers report the same block by different classes.
    const isBlocked = cause instanceof EvalError || (cause instanceof WebAssembly.CompileError && POLICY.test(cause.message));
    if (!isBlocked) throw cause;
    throw new Error(BLOCKED, { cause });
  }
}

/** Matches the messages of browsers for a block by a Content Security Policy. */
const POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

const BLOCKED =
  "the Content Security Policy blocks the engine: add the directive `script-src 'wasm-unsafe-eval'`";

/** Decodes a text of hexadecimal digits. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  if (Uint8Array.fromHex !== undefined) return Uint8Array.fromHex(hex);
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = (digit(hex.charCodeAt(2 * at)) << 4) | digit(hex.charCodeAt(2 * at + 1));
  }
  return bytes;
}

/** Returns the value of the hexadecimal digit with a character code; letters are lower case. */
function digit(code: number): number {
  return (code & 15) + 9 * (code >> 6);
}
