import { size, sum } from "./engine-bytes.js";

/**
 * The wasm that lies beside a module, as it does where the package is installed and not bundled: read in a fraction of the time
 * that unpacking takes. Nothing where there is no file system, no file, or another file of that name.
 *
 * Deno is not asked: it would ask the user.
 */
export function installed(module: string): Uint8Array<ArrayBuffer> | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  if (process?.getBuiltinModule === undefined || "deno" in process.versions) return undefined;
  try {
    const place = new URL(module.replace(/[^/]*$/, "engine.wasm"));
    const bytes = process.getBuiltinModule("node:fs").readFileSync(place);
    return bytes.length === size && sumOf(bytes) === sum ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Node's CRC-32 is better, and takes milliseconds to load. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 31) sum = (Math.imul(sum, 31) + bytes[at]!) >>> 0;
  return sum;
}

/** Just what is asked of it. */
interface NodeProcess {
  readonly versions: object;
  getBuiltinModule?(name: "node:fs"): { readFileSync(path: URL): Uint8Array<ArrayBuffer> };
}
