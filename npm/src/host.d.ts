declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "node:crypto" {
  export function createHash(algorithm: "sha256"): { update(text: string): { digest(encoding: "hex"): string } };
  export function randomUUID(): string;
}

declare module "node:zlib" {
  export function deflateRawSync(text: string, options: { readonly level: number }): Buffer;
  export function inflateRawSync(bytes: Uint8Array): Buffer;
}

declare namespace process {
  export function getBuiltinModule(name: "fs"): { readFileSync(path: URL): Uint8Array<ArrayBuffer> };
}
