//! The few functions that generated code calls, each only where it is called.

/// Their names and what they are, in the order in which they are printed.
///
/// A response may be like nothing that its type says: what they are given is looked at, as the interpreter does.
pub(super) const HELPERS: [(&str, &str); 18] = [
    ("all", ALL),
    ("any", ANY),
    ("contains", CONTAINS),
    ("endsWith", ENDS_WITH),
    ("equal", EQUAL),
    ("flat", FLAT),
    ("given", GIVEN),
    ("holds", HOLDS),
    ("items", ITEMS),
    ("keysOf", KEYS_OF),
    ("lengthOf", LENGTH_OF),
    ("number", NUMBER),
    ("own", OWN),
    ("present", PRESENT),
    ("required", REQUIRED),
    ("startsWith", STARTS_WITH),
    ("truthy", TRUTHY),
    ("valuesOf", VALUES_OF),
];

const ALL: &str = r"
/** Whether there is an element, and all are what is expected. */
function all(values: unknown, expected: string): boolean {
  if (!Array.isArray(values)) return false;
  return values.length > 0 && values.every((value) => value === expected);
}
";

const ANY: &str = r"
/** Whether an element is what is expected. */
function any(values: unknown, expected: string): boolean {
  return Array.isArray(values) && values.includes(expected);
}
";

const CONTAINS: &str = r#"
/** Whether a list has an item, or a string a part; undefined of anything else. */
function contains(of: unknown, item: unknown): boolean | undefined {
  if (Array.isArray(of)) return of.includes(item);
  if (typeof of !== "string") return undefined;
  return typeof item === "string" && of.includes(item);
}
"#;

const ENDS_WITH: &str = r#"
/** Whether a string ends with another; undefined of anything else. */
function endsWith(text: unknown, end: unknown): boolean | undefined {
  if (typeof text !== "string" || typeof end !== "string") return undefined;
  return text.endsWith(end);
}
"#;

const EQUAL: &str = r#"
/** Whether two values are equal, however deep they are. */
function equal(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) {
    return (one ?? undefined) === (other ?? undefined);
  }
  const members = Object.entries(one);
  const others = new Map(Object.entries(other));
  return (
    Array.isArray(one) === Array.isArray(other) &&
    members.length === others.size &&
    members.every(
      ([name, value]) => others.has(name) && equal(value, others.get(name)),
    )
  );
}
"#;

const FLAT: &str = r"
/** The elements of a list, and of the lists in it. */
function flat<T>(
  values: readonly T[] | null | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(values)) return undefined;
  return values.some((value) => Array.isArray(value)) ? values.flat() : values;
}
";

pub(super) const GIVEN: &str = r#"
/** Throws where what makes the calls is missing: without types nobody says so before. */
function given(value: unknown, name: string): void {
  if (value === undefined || value === null) {
    throw new TypeError(`\`${name}\` is missing`);
  }
}
"#;

const HOLDS: &str = r"
/** Whether a condition holds; one that cannot be evaluated does not. */
function holds(condition: () => unknown): boolean {
  try {
    return Boolean(condition());
  } catch {
    return false;
  }
}
";

const ITEMS: &str = r"
/** A list, where it is one. */
function items<T>(
  values: readonly T[] | null | undefined,
): readonly T[] | undefined {
  return Array.isArray(values) ? values : undefined;
}
";

const KEYS_OF: &str = r#"
/** The keys of a map; undefined of anything else. */
function keysOf(map: unknown): string[] | undefined {
  const isMap = typeof map === "object" && map !== null && !Array.isArray(map);
  return isMap ? Object.keys(map) : undefined;
}
"#;

const LENGTH_OF: &str = r#"
/** How many elements, code points or members there are; undefined of what has none of them. */
function lengthOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return Array.from(value).length;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.keys(value).length;
}
"#;

const NUMBER: &str = r#"
/** A number; what is none is in no order. */
function number(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}
"#;

const OWN: &str = r#"
/** A member, and nothing else that every object or string has. */
function own<T extends object, Name extends keyof T>(
  value: T | null | undefined,
  name: Name,
): T[Name] | undefined {
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return value && Object.hasOwn(value, name) ? value[name] : undefined;
}
"#;

const PRESENT: &str = r"
/** The elements that are there. */
function present<T>(
  values: readonly (T | null | undefined)[] | null | undefined,
): T[] | undefined {
  return values?.filter(
    (value): value is T => value !== undefined && value !== null,
  );
}
";

const REQUIRED: &str = r#"
/** A value that a function takes; without one the path has no result. */
function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError("no value");
  return value;
}
"#;

const STARTS_WITH: &str = r#"
/** Whether a string starts with another; undefined of anything else. */
function startsWith(text: unknown, start: unknown): boolean | undefined {
  if (typeof text !== "string" || typeof start !== "string") return undefined;
  return text.startsWith(start);
}
"#;

const TRUTHY: &str = r#"
/** Whether a path takes a value for true: what is empty is not, zero is. */
function truthy(value: unknown): boolean {
  if (typeof value !== "object") return value === 0 || Boolean(value);
  return value !== null && Object.keys(value).length > 0;
}
"#;

const VALUES_OF: &str = r#"
/** The values of a map. */
function valuesOf<T>(
  map: Readonly<Record<string, T>> | null | undefined,
): T[] | undefined {
  if (typeof map !== "object" || Array.isArray(map)) return undefined;
  return map ? Object.values(map) : undefined;
}
"#;
