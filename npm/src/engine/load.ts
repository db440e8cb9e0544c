/**
 * Loads the engine.
 *
 * @module
 */

import { initSync, room } from "./engine.js";
import { provideRoom } from "./host-imports.js";

let source: (() => BufferSource | WebAssembly.Module) | undefined;

/** Sets where the engine comes from. It is compiled on first use, so an import alone is cheap. */
export function provide(engine: () => BufferSource | WebAssembly.Module): void {
  source = engine;
}

/** Makes the engine ready. */
export function ready(): void {
  if (source === undefined) return;
  start(source());
  provideRoom(room);
  source = undefined;
}

/** @throws Error with the directive to add if a Content Security Policy refuses the engine: browsers report that in different ways. */
function start(engine: BufferSource | WebAssembly.Module): void {
  try {
    initSync({ module: engine });
  } catch (cause) {
    if (typeof WebAssembly === "undefined") throw new Error("the engine needs WebAssembly, which this platform does not have", { cause });
    const refused = cause instanceof EvalError || (cause instanceof WebAssembly.CompileError && POLICY.test(cause.message));
    if (!refused) throw cause;
    throw new Error(REFUSED, { cause });
  }
}

/** The words of the browsers for a refusal by a policy. */
const POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

const REFUSED =
  "the engine was not compiled: under a Content Security Policy it needs the directive `script-src 'wasm-unsafe-eval'`";

/** The bytes of a text in hexadecimal digits. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  if (Uint8Array.fromHex !== undefined) return Uint8Array.fromHex(hex);
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = (digit(hex.charCodeAt(2 * at)) << 4) | digit(hex.charCodeAt(2 * at + 1));
  }
  return bytes;
}

/** The value of `0` to `9` and `a` to `f`. */
function digit(code: number): number {
  return (code & 15) + 9 * (code >> 6);
}
