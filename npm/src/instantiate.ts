import { initSync, room } from "./engine.js";
import { takeRoomBy } from "./kernel.js";

let source: (() => BufferSource | WebAssembly.Module) | undefined;

/** Says where the engine comes from. It is made ready when it is needed first: an import alone costs nothing of it. */
export function provide(engine: () => BufferSource | WebAssembly.Module): void {
  source = engine;
}

/** Makes the engine ready. */
export function ready(): void {
  if (source === undefined) return;
  initSync({ module: source() });
  takeRoomBy(room);
  source = undefined;
}

/** The bytes of a text in base64. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
