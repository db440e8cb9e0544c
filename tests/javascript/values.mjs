/** Values in vectors: JSON with markers for values that JSON cannot represent and for host values (`tests/README.md`). */

const NUMBERS = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, "-Infinity": Number.NEGATIVE_INFINITY };

/** Returns the value with its markers resolved. The result may be cyclic. */
export function resolve(value) {
  const cycles = [];
  const root = part(value, cycles);
  for (const [members, name] of cycles) members[name] = root;
  return root;
}

function part(value, cycles) {
  if (Array.isArray(value)) return value.map((item) => part(item, cycles));
  if (typeof value !== "object" || value === null) return value;
  const [[marker, content] = []] = Object.entries(value);
  return Object.hasOwn(MARKERS, marker ?? "") ? MARKERS[marker](content, cycles) : members(value, cycles);
}

function members(value, cycles) {
  const resolved = {};
  for (const [name, member] of Object.entries(value)) {
    if (member?.$cycle) cycles.push([resolved, name]);
    resolved[name] = member?.$cycle ? null : part(member, cycles);
  }
  return resolved;
}

const MARKERS = {
  $absent: () => undefined,
  $bigint: BigInt,
  $bytes: (base64) => Uint8Array.from(Buffer.from(base64, "base64")),
  $date: (seconds) => new Date(seconds * 1000),
  $decimal: (digits) => new NumericValue(digits, "bigDecimal"),
  $enum: (value) => value,
  $function: () => () => 1,
  $list: (parts, cycles) => parts.flatMap(([value, times]) => Array(times).fill(part(value, cycles))),
  $map: (entries, cycles) => new Map(entries.map(([key, value]) => [key, part(value, cycles)])),
  $number: (name) => NUMBERS[name],
  $object: (content, cycles) => structureOf(members(content, cycles)),
  $set: (items, cycles) => new Set(items.map((item) => part(item, cycles))),
  $text: (parts) => parts.map((one) => (typeof one === "string" ? one : one[0].repeat(one[1]))).join(""),
  $units: (units) => String.fromCharCode(...units),
};

/** A stand-in for the AWS SDK's class for numbers that doubles cannot represent. */
class NumericValue {
  constructor(string, type) {
    this.string = string;
    this.type = type;
  }
}

/** Creates an object whose members are accessors of its class. */
function structureOf(content) {
  class Structure {}
  for (const [name, value] of Object.entries(content)) {
    const property = typeof value === "function" ? { value } : { get: () => value };
    Object.defineProperty(Structure.prototype, name, { ...property, configurable: true });
  }
  return new Structure();
}

/** Creates the error for `{code | name | class, message?, status?}`, `{thrown}` or `{none}`. */
export function errorOf({ code, name, class: className, thrown, message, status }) {
  const members = status === undefined ? {} : { status };
  // An error of a service without a fault.
  if (code !== undefined) return Object.assign(new Error(message), { name: code, $fault: undefined, ...members });
  if (className !== undefined) return Object.assign(new Error(message), { name: className, ...members });
  return thrown ?? name ?? null;
}

/** Returns the message of a thrown error, or a thrown value that is not an error. */
export function messageOf(error) {
  if (error === undefined) return null;
  return error instanceof Error ? error.message : String(error ?? "");
}
