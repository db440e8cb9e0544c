//! The few functions that generated code calls, each only where it is called.

/// Their names and what they are, in the order in which they are printed.
pub(super) const HELPERS: [(&str, &str); 8] = [
    ("all", ALL),
    ("any", ANY),
    ("given", GIVEN),
    ("holds", HOLDS),
    ("once", ONCE),
    ("present", PRESENT),
    ("required", REQUIRED),
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

const ONCE: &str = r#"
/** The command without the client's retries: what fails is the waiter's. */
function once<
  Command extends {
    readonly middlewareStack: {
      add(
        middleware: <Next>(next: Next) => Next,
        options: {
          name: string;
          step: "finalizeRequest";
          priority: "high";
          override: true;
        },
      ): void;
    };
  },
>(command: Command): Command {
  command.middlewareStack.add((next) => next, {
    name: "retryMiddleware",
    step: "finalizeRequest",
    priority: "high",
    override: true,
  });
  return command;
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

const VALUES_OF: &str = r"
/** The values of a map. */
function valuesOf<T>(map: Record<string, T> | undefined): T[] | undefined {
  return map && Object.values(map);
}
";
