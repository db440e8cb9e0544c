//! Definitions that generated code needs. A module contains only those that it uses.

/// The type of the settings that functions accept.
pub(super) const SETTINGS: &str = r#"
class Settings(TypedDict, total=False):
    """Optional settings of a wait. See `smithy_waiters.Waiter.wait`."""

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

/// The names in [`SETTINGS`] and `max_wait`. An input with such a member becomes one parameter.
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

/// The `deprecated` decorator, which type checkers and editors read. Python 3.13 has it; older versions get a
/// replacement.
///
/// The decorator itself doesn't warn (`category=None`), because that would wrap the function. The body warns.
pub(super) const DEPRECATED: &str = r#"
if sys.version_info >= (3, 13):
    from warnings import deprecated
elif TYPE_CHECKING:
    from typing_extensions import deprecated
else:

    def deprecated(message, category):
        def decorate(function):
            function.__deprecated__ = message
            return function

        return decorate

"#;

const SPLIT_ARGUMENTS: &str = r#"
def _split_arguments(
    arguments: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the request."""
    names = Settings.__annotations__
    settings = {name: value for name, value in arguments.items() if name in names}
    request = {name: value for name, value in arguments.items() if name not in names}
    return settings, request
"#;

/// The helpers by name, in the order of the output.
///
/// A response may violate its type, so the helpers check types at run time, as the interpreter does.
pub(super) const HELPERS: [(&str, &str); 13] = [
    ("_split_arguments", SPLIT_ARGUMENTS),
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
    """Return `True` for a non-empty list whose elements all equal `expected`."""
    is_filled = isinstance(values, list) and bool(values)
    return is_filled and all(value == expected for value in values)
"#;

const ANY: &str = r#"
def _any(values: Any, expected: str) -> bool:
    """Return `True` for a list that contains `expected`."""
    return isinstance(values, list) and expected in values
"#;

const CONTAINS: &str = r#"
def _contains(container: Any, item: Any) -> bool:
    """Return `True` if a list contains an item, or a string a substring."""
    if isinstance(container, str):
        return isinstance(item, str) and item in container
    if not isinstance(container, list):
        raise TypeError
    return any(_equal(item, one) for one in container)
"#;

const EACH: &str = r#"
def _each(
    values: Any, each: Callable[[Any], Any], when: Callable[[Any], Any] | None = None
) -> Any:
    """Return the results of `each` for the selected elements, without `None`."""
    if not isinstance(values, list):
        return None
    results = [each(value) for value in values if when is None or when(value)]
    return [value for value in results if value is not None]
"#;

const EQUAL: &str = r#"
def _equal(one: Any, other: Any) -> bool:
    """Return `True` for equal values. A boolean never equals a number."""
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
    """Replace the lists in a list by their elements."""
    if not isinstance(values, list):
        return None
    lists = [value if isinstance(value, list) else [value] for value in values]
    return [value for inner in lists for value in inner]
"#;

const HOLDS: &str = r#"
def _holds(condition: Callable[[], Any]) -> bool:
    """Return the truth of a condition, or `False` if its evaluation fails."""
    try:
        return bool(condition())
    except TypeError:
        return False
"#;

const ITEM: &str = r#"
def _item(values: Any, index: int) -> Any:
    """Return an element, or `None` if the index is out of range."""
    is_valid = isinstance(values, list) and -len(values) <= index < len(values)
    return values[index] if is_valid else None
"#;

const MEMBER: &str = r#"
def _member(value: Any, *names: str) -> Any:
    """Return a nested member, or `None` if one is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
"#;

const ORDERED: &str = r#"
def _ordered(left: Any, order: Callable[[Any, Any], bool], right: Any) -> bool | None:
    """Compare two numbers. Return `None` for other values."""
    numbers = (int, float)
    if isinstance(left, bool) or not isinstance(left, numbers):
        return None
    if isinstance(right, bool) or not isinstance(right, numbers):
        return None
    return order(float(left), float(right))
"#;

const TRUTHY: &str = r#"
def _truthy(value: Any) -> bool:
    """Return JMESPath's truth: `False` for empty values, `True` for zero."""
    return bool(value) or (value == 0 and value is not False)
"#;

const VALUES: &str = r#"
def _values(value: Any) -> Any:
    """Return the values of an object, or `None` for another type."""
    return list(value.values()) if isinstance(value, Mapping) else None
"#;
