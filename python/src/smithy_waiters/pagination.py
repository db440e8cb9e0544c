"""Results that come in pages: all of them, page by page or item by item.

>>> from smithy_waiters.pagination import Paginator
>>> paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys", "pageSize": "Max"})
>>> answers = {None: {"Keys": [1, 2], "Next": "b"}, "b": {"Keys": [3]}}
>>> def list_keys(Start=None):
...     return answers[Start]
>>> list(paginator.items(list_keys))
[1, 2, 3]

With boto3: `paginator.items(client.scan, {"TableName": "orders"})`. Nothing is sent before the first page is asked for,
and the next page only when all of this one was taken.

See `the specification <https://smithy.io/2.0/spec/behavior-traits.html#pagination>`_.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from . import _engine
from .drivers.call import reject_awaitable, require_awaitable, require_callable
from .errors import OptionsError, PaginationError
from .hint import did_you_mean
from .json_text import PathHint, of_definition, of_model

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
    from os import PathLike

    from typing_extensions import Self, Unpack

__all__ = ["PageOptions", "PaginatedDefinition", "PaginationError", "Paginator"]

T = TypeVar("T")

# Tokens that go deeper cannot be compared.
_DEEPEST = 128


class _PaginatedDefinition(TypedDict):
    inputToken: str
    """The input member that takes the token."""
    outputToken: str
    """The path of the token in the output: member names, with dots between them."""


class PaginatedDefinition(_PaginatedDefinition, total=False):
    """A `paginated trait <https://smithy.io/2.0/spec/behavior-traits.html#paginated-trait>`_."""

    items: str
    """The path of the list or map in the output that is paginated."""
    pageSize: str
    """The input member that bounds the number of items of a page."""


class PageOptions(TypedDict, total=False):
    """How pages are walked; `None` counts as not given."""

    start_token: Any
    """Where to start: a token of an earlier walk; without one, or where it is empty, it starts where the input says."""
    page_size: int | Callable[[int], int | None] | None
    """The greatest number of items of a page, from 1, or a function that gives it by the number of the page, from 1."""
    repeated_token: Literal["error", "stop", "continue"] | None
    """What happens where a page has the very token that it was asked for with: a `PaginationError` by default."""
    stop_when_not_truncated: bool | None
    """Whether the walk ends where a page's top-level `IsTruncated` is false, whatever token it has; so by default."""


class Paginator(_engine.Paginator):
    """Walks the pages of an operation, by its `paginated` trait.

    A paginator is immutable, and may be shared between threads. It never changes an input, and copies no page.

    Args:
        definition: A `paginated` trait, its service's merged, as an object or its JSON text.

    Raises:
        DefinitionError: The specification does not allow the definition; says where and why.

    """

    __slots__ = ()

    def __new__(cls, definition: PaginatedDefinition | Mapping[str, Any] | str | bytes) -> Self:
        """Parse and check the definition, once."""
        return super().__new__(cls, of_definition(definition))

    @classmethod
    def from_model(
        cls,
        model: Mapping[str, Any] | str | bytes | PathLike[str],
        operation: str,
        *,
        service: str | None = None,
    ) -> Self:
        """Give the paginator of an operation of a Smithy model.

        >>> scan = Paginator.from_model(Path("dynamodb.json"), "Scan")

        Args:
            model: The model's JSON AST: parsed, as text, or where to read it. A `str` is text, never a path.
            operation: The operation's shape id, absolute or relative.
            service: The service's shape id, where several have such an operation.

        Raises:
            DefinitionError: There is no such operation, or more than one, or its trait leads nowhere.
            OSError: The file cannot be read.

        """
        with PathHint(model):
            return super().__new__(
                cls, of_model(model), operation=str(operation), service=None if service is None else str(service)
            )

    def pages(
        self, call: Callable[..., T], input: Mapping[str, Any] | None = None, **options: Unpack[PageOptions]
    ) -> Iterator[T]:
        """Give page after page.

        >>> for page in paginator.pages(client.scan, {"TableName": "orders"}):
        ...     print(page["Count"])

        Args:
            call: Makes the request; the input's members are its keyword arguments.
            input: The operation's input, the same for all pages but for the token and the page size.
            **options: See `PageOptions`. `next_token(page)` gives the `start_token` of another time.

        Raises:
            PaginationError: A page has the very token that it was asked for with, or one that is none. What was read so
                far stays read.
            OptionsError: An option does not hold.

        """
        return self._walk(call, _Walk(self, input, **options), "pages_async")

    def items(
        self,
        call: Callable[..., Any],
        input: Mapping[str, Any] | None = None,
        *,
        max_items: int | None = None,
        **options: Unpack[PageOptions],
    ) -> Iterator[Any]:
        """Give item after item of all pages; of a map, pairs of keys and values.

        Args:
            call: As for `pages`.
            input: As for `pages`.
            max_items: The greatest number of items; no page is asked for beyond it.
            **options: As for `pages`.

        Raises:
            PaginationError: As for `pages`.
            DefinitionError: The definition does not say where the items are.
            OptionsError: An option does not hold.

        """
        most = None if max_items is None else _integer("max_items", max_items, 0)
        self.check_items()
        pages = self._walk(call, _Walk(self, input, **options), "items_async")
        return _limited(pages, self._items, most)

    def pages_async(
        self, call: Callable[..., Awaitable[T]], input: Mapping[str, Any] | None = None, **options: Unpack[PageOptions]
    ) -> AsyncGenerator[T, None]:
        """Do the same as `pages` with a call that gives an awaitable, on any async library: use `async for`."""
        return self._walk_async(call, _Walk(self, input, **options), "pages")

    def items_async(
        self,
        call: Callable[..., Awaitable[Any]],
        input: Mapping[str, Any] | None = None,
        *,
        max_items: int | None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncGenerator[Any, None]:
        """Do the same as `items` with a call that gives an awaitable, on any async library: use `async for`."""
        most = None if max_items is None else _integer("max_items", max_items, 0)
        self.check_items()
        pages = self._walk_async(call, _Walk(self, input, **options), "items")
        return _limited_async(pages, self._items, most)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), *self._kept())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(input_token={self.input_token!r}, page_size={self.page_size!r})"

    def _walk(self, call: Callable[..., T], walk: _Walk, instead: str) -> Iterator[T]:
        require_callable(call)
        return self._pages(call, walk, instead)

    def _pages(self, call: Callable[..., T], walk: _Walk, instead: str) -> Iterator[T]:
        while walk.is_on:
            page = call(**walk.input())
            reject_awaitable(page, instead)
            # Before the page is given away: whoever takes it may change it.
            problem = walk.take(page)
            yield page
            if problem is not None:
                raise problem

    def _walk_async(self, call: Callable[..., Awaitable[T]], walk: _Walk, instead: str) -> AsyncGenerator[T, None]:
        require_callable(call)
        return self._pages_async(call, walk, instead)

    async def _pages_async(
        self, call: Callable[..., Awaitable[T]], walk: _Walk, instead: str
    ) -> AsyncGenerator[T, None]:
        while walk.is_on:
            page = await require_awaitable(call(**walk.input()), instead)
            problem = walk.take(page)
            yield page
            if problem is not None:
                raise problem

    def _items(self, page: object) -> Iterable[Any]:
        items: Any = self.items_of(page)
        if items is None:
            return ()
        found: Any = items.items() if issubclass(type(items), Mapping) else items
        return found if issubclass(type(found), Iterable) else ()


def _made_again(cls: type[Paginator], *kept: Any) -> Paginator:
    text, truncates = kept
    return _engine.Paginator.__new__(cls, text, truncates=truncates)


class _Walk:
    """Where a walk is: its token, and what the next request is."""

    def __init__(
        self,
        paginator: Paginator,
        input: Mapping[str, Any] | None,
        *,
        start_token: Any = None,
        page_size: int | Callable[[int], int | None] | None = None,
        **paging: Any,
    ) -> None:
        self.is_on = True
        self._paginator = paginator
        self._input: Any = {} if input is None else input
        self._token = paginator.start_token(start_token)
        self._page_size = page_size if page_size is None or callable(page_size) else _page_size(page_size)
        self._paging = _paging(paging)
        self._sent: Any = None
        self._page = 0
        if not isinstance(self._input, Mapping):
            raise OptionsError("`input` must be a mapping", "invalid_option", "input")
        if page_size is not None and paginator.page_size is None:
            message = "the definition names no input member for `page_size`"
            raise OptionsError(message, "invalid_option", "page_size")

    def input(self) -> dict[str, Any]:
        """Give the next request's input; the caller's own stays as it is."""
        self._page += 1
        given: dict[str, Any] = dict(self._input)
        if self._token is not None:
            given[self._paginator.input_token] = self._token
        # One that is in the input itself is asked for as well. The call may change its input.
        self._sent = _copied(given.get(self._paginator.input_token))
        size = _page_size(self._page_size(self._page)) if callable(self._page_size) else self._page_size
        if size is not None and self._paginator.page_size is not None:
            given[self._paginator.page_size] = size
        return given

    def take(self, page: object) -> PaginationError | None:
        """Take a page, and give what keeps the walk from going on after it."""
        try:
            self._token = _copied(self._paginator.next_token(page, self._sent, self._paging))
        except PaginationError as problem:
            return problem
        self.is_on = self._token is not None
        return None


def _paging(options: dict[str, Any]) -> _engine.Paging:
    try:
        return _engine.Paging(**options)
    except OptionsError as error:
        if error.code != "unknown_option":
            raise
        hint = did_you_mean(error.option, (*PageOptions.__annotations__, "max_items"))
        hint = hint or ": the operation's input is a dict, given after the call"
        raise OptionsError(f"{error}{hint}", error.code, error.option) from None


def _copied(token: Any, depth: int = 0) -> Any:
    """Give a token of its own: who changes a page must not change the walk. What goes too deep stays as it is."""
    if depth > _DEEPEST:
        return token
    if issubclass(type(token), dict):
        return {name: _copied(value, depth + 1) for name, value in token.items()}
    if issubclass(type(token), list):
        return [_copied(value, depth + 1) for value in token]
    return token


def _page_size(size: int | None) -> int | None:
    return None if size is None else _integer("page_size", size, 1)


def _integer(option: str, given: Any, least: int) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and given >= least:
        return given
    raise OptionsError(f"`{option}` must be an integer, at least {least}", "invalid_option", option)


def _limited(pages: Iterator[Any], items_of: Callable[[Any], Iterable[Any]], limit: int | None) -> Iterator[Any]:
    left = limit
    if left == 0:
        return
    for page in pages:
        for item in items_of(page):
            yield item
            left = None if left is None else left - 1
            if left == 0:
                return


async def _limited_async(
    pages: AsyncGenerator[Any, None], items_of: Callable[[Any], Iterable[Any]], limit: int | None
) -> AsyncGenerator[Any, None]:
    left = limit
    if left == 0:
        return
    async with aclosing(pages):
        async for page in pages:
            for item in items_of(page):
                yield item
                left = None if left is None else left - 1
                if left == 0:
                    return
