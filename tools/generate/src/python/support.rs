//! The fixed parts of generated code. A module contains only those that it needs.

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
    hints: bool
    history_limit: int
    transient_errors: Literal["retry", "fail"]
    transient_window: float | timedelta
    not_found_for: float | timedelta
    same: Same
    left: str | float | Left
    left_else: Literal["fail", "accept"]
    left_within: float | timedelta
    at_least: Mapping[str, float]
    successes: int
    stable_for: float | timedelta
    pace: Pace
    final_poll: Literal["specification", "late"]
    label: str
    show: Sequence[str]
    redact: Sequence[str]
    rate_limit: RateLimit
    on_attempt: Callable[[Progress[Any]], object]
    on_change: Callable[[Progress[Any]], object]
    on_failure: Callable[[WaiterError], object]
    cancel_with: Callable[[], object]
    progress: bool
    cancel: Any
    sleep: Callable[[float], Any]
    clock: Callable[[], float]
"#;

/// The names in [`SETTINGS`] and `max_wait`. An input with such a member becomes one parameter.
pub(super) const SETTING_NAMES: [&str; 34] = [
    "at_least",
    "attempt_timeout",
    "cancel",
    "cancel_with",
    "clock",
    "deadline",
    "final_poll",
    "hints",
    "history_limit",
    "initial_delay",
    "label",
    "left",
    "left_else",
    "left_within",
    "max_attempts",
    "max_delay",
    "max_wait",
    "min_delay",
    "not_found_for",
    "on_attempt",
    "on_change",
    "on_failure",
    "pace",
    "progress",
    "rate_limit",
    "redact",
    "same",
    "seed",
    "show",
    "sleep",
    "stable_for",
    "successes",
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

/// Separates the keyword arguments of a wait.
pub(super) const SPLIT_ARGUMENTS: &str = r#"
def _split_arguments(
    arguments: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the request."""
    names = Settings.__annotations__
    settings = {name: value for name, value in arguments.items() if name in names}
    request = {name: value for name, value in arguments.items() if name not in names}
    return settings, request
"#;

/// Returns the traits of operations, which it reads from the constant `_REQUESTS`.
pub(super) const OPERATION: &str = r#"
@cache
def operation(name: str) -> Operation:
    """Return the behavior traits of an operation, by its name in the model.

    They cover idempotency, retryable errors, the idempotency token and request
    compression.

    Raises:
        DefinitionError: The model doesn't contain the operation.
    """
    return Operation.from_model(_REQUESTS, name)
"#;
