//! What generated code calls and extends, each only where it does.

/// How to wait, as functions take it.
pub(super) const SETTINGS: &str = r#"
class Settings(TypedDict, total=False):
    """How to wait, beside `max_wait`: as `smithy_waiters.Waiter.wait` takes it."""

    deadline: float | datetime
    attempt_timeout: float | timedelta
    min_delay: float | timedelta
    max_delay: float | timedelta
    max_attempts: int
    initial_delay: float | timedelta
    seed: int
    history_limit: int
    transient_errors: Literal["retry", "fail"]
    transient_window: float | timedelta
    pace: Pace
    final_poll: Literal["specification", "late"]
    label: str
    show: Sequence[str]
    redact: Sequence[str]
    on_attempt: Callable[[Progress[Any]], object]
    cancel: Any
    sleep: Callable[[float], Any]
    clock: Callable[[], float]
"#;

/// The names of [`SETTINGS`]: an input that has one of them is given as one argument.
pub(super) const SETTING_NAMES: [&str; 20] = [
    "attempt_timeout",
    "cancel",
    "clock",
    "deadline",
    "final_poll",
    "history_limit",
    "initial_delay",
    "label",
    "max_attempts",
    "max_delay",
    "max_wait",
    "min_delay",
    "on_attempt",
    "pace",
    "redact",
    "seed",
    "show",
    "sleep",
    "transient_errors",
    "transient_window",
];

/// The decorator, for those who read code: Python's own, what type checkers know, and for what is older than 3.13 one like it.
/// The function warns by itself, so that nothing is called around it.
pub(super) const DEPRECATED: &str = r#"
if sys.version_info >= (3, 13):
    from warnings import deprecated
elif TYPE_CHECKING:
    from typing_extensions import deprecated
else:

    def deprecated(message, category):
        def marked(function):
            function.__deprecated__ = message
            return function

        return marked

"#;

const PARTED: &str = r#"
def _parted(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give how to wait, and the request."""
    names = Settings.__annotations__
    settings = {name: value for name, value in given.items() if name in names}
    request = {name: value for name, value in given.items() if name not in names}
    return settings, request
"#;

/// The names of helpers and what they are, in the order in which they are printed.
///
/// A response may be like nothing that its type says: what they are given is looked at, as the interpreter does.
pub(super) const HELPERS: [(&str, &str); 13] = [
    ("_parted", PARTED),
    ("_all", ALL),
    ("_any", ANY),
    ("_contains", CONTAINS),
    ("_each", EACH),
    ("_equal", EQUAL),
    ("_flat", FLAT),
    ("_holds", HOLDS),
    ("_item", ITEM),
    ("_member", MEMBER),
    ("_ordered", ORDERED),
    ("_truthy", TRUTHY),
    ("_values", VALUES),
];

const ALL: &str = r#"
def _all(values: Any, expected: str) -> bool:
    """Whether there is an element, and all are what is expected."""
    is_there = isinstance(values, list) and bool(values)
    return is_there and all(value == expected for value in values)
"#;

const ANY: &str = r#"
def _any(values: Any, expected: str) -> bool:
    """Whether an element is what is expected."""
    return isinstance(values, list) and expected in values
"#;

const CONTAINS: &str = r#"
def _contains(of: Any, item: Any) -> bool:
    """Whether a list has an item, or a string a part."""
    if isinstance(of, str):
        return isinstance(item, str) and item in of
    if not isinstance(of, list):
        raise TypeError
    return any(_equal(item, one) for one in of)
"#;

const EACH: &str = r#"
def _each(
    values: Any, each: Callable[[Any], Any], when: Callable[[Any], Any] | None = None
) -> Any:
    """What is made of each element, without what is not there."""
    if not isinstance(values, list):
        return None
    made = [each(value) for value in values if when is None or when(value)]
    return [value for value in made if value is not None]
"#;

const EQUAL: &str = r#"
def _equal(one: Any, other: Any) -> bool:
    """Whether two values are equal: numbers as doubles, and booleans are none."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        members = one.items()
        return one.keys() == other.keys() and all(
            _equal(value, other[name]) for name, value in members
        )
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return float(one) == float(other)
    return bool(one == other)
"#;

const FLAT: &str = r#"
def _flat(values: Any) -> Any:
    """The elements of the lists in a list, and what else is in it."""
    if not isinstance(values, list):
        return None
    lists = [value if isinstance(value, list) else [value] for value in values]
    return [value for inner in lists for value in inner]
"#;

const HOLDS: &str = r#"
def _holds(condition: Callable[[], Any]) -> bool:
    """Whether a condition holds; one that cannot be evaluated does not."""
    try:
        return bool(condition())
    except TypeError:
        return False
"#;

const ITEM: &str = r#"
def _item(values: Any, index: int) -> Any:
    """An element, None where there is none."""
    is_there = isinstance(values, list) and -len(values) <= index < len(values)
    return values[index] if is_there else None
"#;

const MEMBER: &str = r#"
def _member(value: Any, *names: str) -> Any:
    """A member of a member, None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
"#;

const ORDERED: &str = r#"
def _ordered(left: Any, order: Callable[[Any, Any], bool], right: Any) -> bool | None:
    """Whether two numbers are in this order; nothing else is in any."""
    numbers = (int, float)
    if isinstance(left, bool) or not isinstance(left, numbers):
        return None
    if isinstance(right, bool) or not isinstance(right, numbers):
        return None
    return order(float(left), float(right))
"#;

const TRUTHY: &str = r#"
def _truthy(value: Any) -> bool:
    """Whether a path takes a value for true: what is empty is not, zero is."""
    return bool(value) or (value == 0 and value is not False)
"#;

const VALUES: &str = r#"
def _values(value: Any) -> Any:
    """The values of an object."""
    return list(value.values()) if isinstance(value, Mapping) else None
"#;
