"""What came of something that was awaited inside of a cancel scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import NoReturn

T = TypeVar("T")


class Ended(Generic[T]):
    """How it ended, if it did.

    Groups of tasks wrap what is raised in them. Only what cancels is: the rest is kept here and raised outside.
    """

    def __init__(self) -> None:
        self.is_cut: bool = False
        self._result: Callable[[], T] | None = None
        self._problem: BaseException | None = None
        self._fault: BaseException | None = None
        self._cancelled: type[BaseException] = GeneratorExit

    async def by(self, awaitable: Awaitable[T], cancelled: type[BaseException]) -> None:
        """Await it, and keep what comes of it."""
        self._cancelled = cancelled
        try:
            value = await awaitable
        except (cancelled, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            self._result = raising(error)
        except BaseException as problem:  # noqa: BLE001 - raised by `result`.
            self._problem = problem
        else:
            self._result = lambda: value

    async def cut_by(
        self,
        alarm: Callable[[], Awaitable[object]],
        checkpoint: Callable[[], Awaitable[object]],
        cancelled: type[BaseException],
    ) -> None:
        """Await an alarm; whoever comes back from here is to cancel the scope."""
        try:
            await alarm()
        except (cancelled, GeneratorExit):
            raise
        except BaseException as problem:  # noqa: BLE001 - the caller's `sleep` is the caller's: raised by `result`.
            self._fault = self._fault or without(problem, cancelled)
        # What is over at the same moment goes first: it cancels this.
        await checkpoint()
        self.is_cut = True

    def result(self) -> Callable[[], T] | None:
        """Give what returns or raises what came of it; `None` where it was cut."""
        if self._fault is not None:
            raise self._fault
        problem = self._problem
        if problem is not None and self.is_cut:
            # A nursery of the call's own puts the cut in a group, with the errors of the clean-up.
            problem = without(problem, (self._cancelled, Exception))
        if problem is not None:
            raise problem
        return None if self.is_cut else self._result


def without(
    problem: BaseException, kinds: type[BaseException] | tuple[type[BaseException], ...]
) -> BaseException | None:
    """Give what is left of a group without some kinds; what is no group as it is, or `None` for what is of the kinds.

    A group is known by its `split`: Python 3.10 has none of its own.
    """
    if isinstance(problem, kinds):
        return None
    split: Callable[[Callable[[object], bool]], tuple[object, BaseException | None]] | None
    split = getattr(problem, "split", None)
    return problem if split is None else split(lambda part: isinstance(part, kinds))[1]


def raising(error: Exception) -> Callable[[], NoReturn]:
    """Give what raises an error."""

    def result() -> NoReturn:
        raise error

    return result
