declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "node:crypto" {
  export function createHash(algorithm: "sha256"): { update(text: string): { digest(encoding: "hex"): string } };
  export function randomUUID(): string;
}

declare module "node:fs" {
  export function readFileSync(path: URL): Uint8Array<ArrayBuffer>;
}

interface Uint8ArrayConstructor {
  /** Absent in browsers from before 2025 and in Node before 25. */
  fromHex?(hex: string): Uint8Array<ArrayBuffer>;
}
