//! The helper functions of generated code. A module contains only those that it calls.

/// The helpers by name, in the order of the output.
///
/// A response may violate its type, so the helpers check types at run time, as the interpreter does.
pub(super) const HELPERS: [(&str, &str); 21] = [
    ("all", ALL),
    ("any", ANY),
    ("anySignal", ANY_SIGNAL),
    ("asResult", AS_RESULT),
    ("assertPresent", ASSERT_PRESENT),
    ("contains", CONTAINS),
    ("endsWith", ENDS_WITH),
    ("equal", EQUAL),
    ("flat", FLAT),
    ("holds", HOLDS),
    ("items", ITEMS),
    ("keysOf", KEYS_OF),
    ("lengthOf", LENGTH_OF),
    ("markWaiter", MARK_WAITER),
    ("number", NUMBER),
    ("own", OWN),
    ("present", PRESENT),
    ("required", REQUIRED),
    ("startsWith", STARTS_WITH),
    ("truthy", TRUTHY),
    ("valuesOf", VALUES_OF),
];

const ALL: &str = r"
/** Returns `true` for a non-empty array whose elements all equal `expected`. */
function all(values: unknown, expected: string): boolean {
  if (!Array.isArray(values)) return false;
  return values.length > 0 && values.every((value) => value === expected);
}
";

const ANY: &str = r"
/** Returns `true` for an array that contains `expected`. */
function any(values: unknown, expected: string): boolean {
  return Array.isArray(values) && values.includes(expected);
}
";

const ANY_SIGNAL: &str = r"
/** Returns a signal that is aborted by a signal or by a controller. */
function anySignal(
  signal: AbortSignal | undefined,
  controller: AbortController | undefined,
): AbortSignal | undefined {
  if (!signal || !controller) return signal ?? controller?.signal;
  return AbortSignal.any([signal, controller.signal]);
}
";

const AS_RESULT: &str = r#"
/** Adds the members of the AWS SDK's `WaiterResult` to an outcome. */
function asResult<Of extends Outcome>(outcome: Of): WaiterResult<Of> {
  const final = outcome.result === "error" ? outcome.error : outcome.response;
  const members = { state: "SUCCESS", reason: final, final };
  return { ...outcome, ...members } as WaiterResult<Of>;
}
"#;

/// The result of a wait for a client of the AWS SDK.
pub(super) const WAITER_RESULT: &str = r#"
/** An outcome with the members of the AWS SDK's `WaiterResult`. */
export type WaiterResult<Of extends Outcome> = Of & {
  /** Always `"SUCCESS"`, because a wait without success throws. */
  readonly state: "SUCCESS";
  /** The same value as `final`, untyped as in the AWS SDK. */
  readonly reason: any;
  /** The response or the error that ended the wait. */
  readonly final: Exclude<Of["response"] | Of["error"], undefined>;
};
"#;

pub(super) const ASSERT_PRESENT: &str = r#"
/** Throws a `TypeError` for a missing value, which untyped callers may pass. */
function assertPresent(value: unknown, name: string): void {
  if (value === undefined || value === null) {
    throw new TypeError(`\`${name}\` is missing`);
  }
}
"#;

const CONTAINS: &str = r#"
/** Returns `true` if an array contains an item, or a string a substring. */
function contains(container: unknown, item: unknown): boolean | undefined {
  if (Array.isArray(container)) return container.includes(item);
  if (typeof container !== "string") return undefined;
  return typeof item === "string" && container.includes(item);
}
"#;

const ENDS_WITH: &str = r#"
/** Returns `true` if a string ends with another; `undefined` for other types. */
function endsWith(text: unknown, end: unknown): boolean | undefined {
  if (typeof text !== "string" || typeof end !== "string") return undefined;
  return text.endsWith(end);
}
"#;

const EQUAL: &str = r#"
/** Compares two values, including their members and elements. */
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
/** Replaces the arrays in an array by their elements. */
function flat<T>(
  values: readonly T[] | null | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(values)) return undefined;
  return values.some((value) => Array.isArray(value)) ? values.flat() : values;
}
";

const HOLDS: &str = r"
/** Returns the truth of a condition, or `false` if its evaluation throws. */
function holds(condition: () => unknown): boolean {
  try {
    return Boolean(condition());
  } catch {
    return false;
  }
}
";

const ITEMS: &str = r"
/** Returns an array, or `undefined` for another type. */
function items<T>(
  values: readonly T[] | null | undefined,
): readonly T[] | undefined {
  return Array.isArray(values) ? values : undefined;
}
";

const KEYS_OF: &str = r#"
/** Returns the keys of a map, or `undefined` for another type. */
function keysOf(map: unknown): string[] | undefined {
  const isMap = typeof map === "object" && map !== null && !Array.isArray(map);
  return isMap ? Object.keys(map) : undefined;
}
"#;

const LENGTH_OF: &str = r#"
/** Returns the number of elements, code points or members. */
function lengthOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return Array.from(value).length;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.keys(value).length;
}
"#;

const MARK_WAITER: &str = r#"
/** Adds the feature of waiters, `B`, to the user agent of a command. */
function markWaiter<Marked extends MarkedCommand>(command: Marked): Marked {
  const mark: Mark = (next) => (args) => {
    const { headers } = args.request as { headers?: Record<string, string> };
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (headers && name.toLowerCase().endsWith("user-agent")) {
        headers[name] = value.replace(/ m\/(?=\S)/, " m/B,");
      }
    }
    return next(args);
  };
  command.middlewareStack.add(mark, { step: "build", priority: "low" });
  return command;
}

/** The part of a command that is used to mark its requests. */
interface MarkedCommand {
  middlewareStack: {
    add(mark: Mark, options: { step: "build"; priority: "low" }): void;
  };
}

/** A middleware of any command. */
type Mark = <Args extends { request: unknown }, Result>(
  next: (args: Args) => Result,
) => (args: Args) => Result;
"#;

const NUMBER: &str = r#"
/** Returns a number, or `NaN` for another type, whose comparisons are false. */
function number(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}
"#;

const OWN: &str = r#"
/** Returns a member of an object, but not an inherited property. */
function own<T extends object, Name extends keyof T>(
  value: T | null | undefined,
  name: Name,
): T[Name] | undefined {
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return value && Object.hasOwn(value, name) ? value[name] : undefined;
}
"#;

const PRESENT: &str = r"
/** Returns the elements that are neither `null` nor `undefined`. */
function present<T>(
  values: readonly (T | null | undefined)[] | null | undefined,
): T[] | undefined {
  return values?.filter(
    (value): value is T => value !== undefined && value !== null,
  );
}
";

const REQUIRED: &str = r#"
/** Returns a value, or throws if it is missing, so that the path fails. */
function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError("no value");
  return value;
}
"#;

const STARTS_WITH: &str = r#"
/** Returns `true` if a string starts with another; `undefined` for other types. */
function startsWith(text: unknown, start: unknown): boolean | undefined {
  if (typeof text !== "string" || typeof start !== "string") return undefined;
  return text.startsWith(start);
}
"#;

const TRUTHY: &str = r#"
/** Returns JMESPath's truth: `false` for empty values, `true` for zero. */
function truthy(value: unknown): boolean {
  if (typeof value !== "object") return value === 0 || Boolean(value);
  return value !== null && Object.keys(value).length > 0;
}
"#;

const VALUES_OF: &str = r#"
/** Returns the values of a map, or `undefined` for another type. */
function valuesOf<T>(
  map: Readonly<Record<string, T>> | null | undefined,
): T[] | undefined {
  if (typeof map !== "object" || Array.isArray(map)) return undefined;
  return map ? Object.values(map) : undefined;
}
"#;
