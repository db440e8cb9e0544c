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
