import { initSync } from "./engine.js";

let source: (() => BufferSource | WebAssembly.Module) | undefined;

/** Says where the engine comes from. It is made ready when it is needed first: an import alone costs nothing of it. */
export function provide(engine: () => BufferSource | WebAssembly.Module): void {
  source = engine;
}

/** Makes the engine ready. */
export function ready(): void {
  if (source === undefined) return;
  initSync({ module: source() });
  source = undefined;
}

/** The bytes of a base64 text, the fast way where there is one. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  return Buffer === undefined ? decoded(atob(base64)) : Buffer.from(base64, "base64");
}

interface NodeBuffer {
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
}

function decoded(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
