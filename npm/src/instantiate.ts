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

/** The bytes of a hexadecimal text, the fast way where there is one. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  return Buffer === undefined ? decoded(hex) : Buffer.from(hex, "hex");
}

interface NodeBuffer {
  from(text: string, encoding: "hex"): Uint8Array<ArrayBuffer>;
}

function decoded(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = (digit(hex, 2 * index) << 4) | digit(hex, 2 * index + 1);
  }
  return bytes;
}

/** A digit by its character: `0` to `9` are 48 to 57, `a` to `f` 97 to 102. */
function digit(hex: string, index: number): number {
  const character = hex.charCodeAt(index);
  return character < 58 ? character - 48 : character - 87;
}
