"""The result of an awaitable that ran inside a cancel scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .library import Library

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import NoReturn

    from .library import Alarm

T = TypeVar("T")


class Result(Generic[T]):
    """The result of an awaitable, for libraries with cancel scopes.

    Task groups wrap exceptions that are raised inside them. Therefore only cancellations are raised inside the group.
    All other exceptions are stored here, and raised outside.
    """

    def __init__(self) -> None:
        self.is_aborted: bool = False
        self._result: Callable[[], T] | None = None
        self._problem: BaseException | None = None
        self._fault: BaseException | None = None
        self._cancelled: type[BaseException] = GeneratorExit

    async def await_call(self, awaitable: Awaitable[T], cancelled: type[BaseException]) -> None:
        """Await the call, and store its result."""
        self._cancelled = cancelled
        try:
            value = await awaitable
        except (cancelled, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001 - any error may be a result.
            self._result = _raising(error)
        except BaseException as problem:  # noqa: BLE001 - raised by `get`.
            self._problem = problem
        else:
            self._result = lambda: value

    async def await_alarm(
        self,
        alarm: Alarm,
        checkpoint: Callable[[], Awaitable[object]],
        cancelled: type[BaseException],
    ) -> None:
        """Await an alarm. The caller then cancels the scope."""
        try:
            await alarm()
        except (cancelled, GeneratorExit):
            raise
        except BaseException as problem:  # noqa: BLE001 - an error of the caller's sleep, raised by `get`.
            self._fault = self._fault or without(problem, cancelled)
        # If the call ends at the same moment, its result takes precedence and cancels this task.
        await checkpoint()
        self.is_aborted = True

    def get(self) -> Callable[[], T] | None:
        """Return a function that returns or raises the result; `None` if an alarm ended first."""
        if self._fault is not None:
            raise self._fault
        problem = self._problem
        if problem is not None and self.is_aborted:
            # A nursery inside the call groups the cancellation with the errors of the clean-up.
            problem = without(problem, (self._cancelled, Exception))
        if problem is not None:
            raise problem
        return None if self.is_aborted else self._result


def library_with_scopes(module: Any, race: Any) -> Library:
    """Return the `Library` of trio or anyio, whose functions have the same names."""

    async def alarm(seconds: float) -> None:
        await module.sleep_until(module.current_time() + seconds)

    return Library(module.current_time, module.sleep, alarm, race)


def without(
    problem: BaseException, kinds: type[BaseException] | tuple[type[BaseException], ...]
) -> BaseException | None:
    """Return `problem` with all exceptions of `kinds` removed, or `None` if none remain.

    A group is any exception with `split`, because Python 3.10 does not have `BaseExceptionGroup`.
    """
    if isinstance(problem, kinds):
        return None
    split: Callable[[Callable[[object], bool]], tuple[object, BaseException | None]] | None
    split = getattr(problem, "split", None)
    return problem if split is None else split(lambda part: isinstance(part, kinds))[1]


def _raising(error: Exception) -> Callable[[], NoReturn]:
    def result() -> NoReturn:
        raise error

    return result
