"""Pagination: walks over the pages or the items of a paginated operation.

>>> from smithy_waiters.pagination import Paginator
>>> paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys", "pageSize": "Max"})
>>> answers = {None: {"Keys": [1, 2], "Next": "b"}, "b": {"Keys": [3]}}
>>> def list_keys(Start=None):
...     return answers[Start]
>>> list(paginator.items(list_keys))
[1, 2, 3]

With boto3: `paginator.items(client.scan, {"TableName": "orders"})`. Requests are lazy: a page is requested when the
iterator reaches it.

See `the specification <https://smithy.io/2.0/spec/behavior-traits.html#pagination>`_.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import aclosing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from . import _engine
from ._engine import _max_items, _must_be
from .drivers.call import reject_awaitable, require_awaitable, require_callable
from .errors import PaginationError
from .json_text import ModelText, definition_text
from .option_names import check_names

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
    from os import PathLike

    from typing_extensions import Self, Unpack

__all__ = ["PageOptions", "PaginatedDefinition", "PaginationError", "Paginator"]

T = TypeVar("T")


class _PaginatedDefinition(TypedDict):
    inputToken: str
    """The name of the input member for the token."""
    outputToken: str
    """The path of the token in the output: member names, separated by dots."""


class PaginatedDefinition(_PaginatedDefinition, total=False):
    """A `paginated trait <https://smithy.io/2.0/spec/behavior-traits.html#paginated-trait>`_."""

    items: str
    """The path of the list or map of items in the output."""
    pageSize: str
    """The name of the input member that limits the number of items in a page."""


class PageOptions(TypedDict, total=False):
    """The options of a walk over pages. `None` is the same as an absent option."""

    start_token: Any
    """The token of the first page, from `Paginator.next_token`. If it is absent or empty, the token in the input is
    used.
    """
    page_size: int | str | Callable[[int], int | str | None] | None
    """The maximum number of items in a page, at least 1; or a function of the page number, which starts at 1.

    If the input member is a string in the model, an integer is converted. Without a model, a string is sent unchanged.
    """
    repeated_token: Literal["error", "stop", "continue"] | None
    """The action if a page repeats the token of its request: `"error"` (the default) raises a `PaginationError`."""
    stop_when_not_truncated: bool | None
    """`True` (the default) ends the walk if the top-level member `IsTruncated` of a page is false, even if it has a
    token.

    This is an extension of the specification. See docs/rules.md#truncated-pages.
    """


class Paginator(_engine.Paginator):
    """Walks the pages of an operation with the `paginated` trait.

    A paginator is immutable, and can be shared between threads, copied and pickled. It never changes an input or copies
    a page.

    Args:
        definition: The `paginated` trait of the operation, merged with that of its service, as an object or as JSON
            text.

    Raises:
        DefinitionError: The specification does not allow the definition. The error has the path of the invalid member.

    """

    __slots__ = ()

    def __new__(cls, definition: PaginatedDefinition | Mapping[str, Any] | str | bytes) -> Self:
        """Parse and check the definition."""
        return super().__new__(cls, definition_text(definition))

    @classmethod
    def from_model(
        cls,
        model: Mapping[str, Any] | str | bytes | PathLike[str],
        operation: str,
        *,
        service: str | None = None,
    ) -> Self:
        """Create the paginator of an operation from a Smithy model.

        >>> scan = Paginator.from_model(Path("dynamodb.json"), "Scan")

        Args:
            model: The JSON AST of the model: parsed, as text, or as a path. A `str` is text, never a path.
            operation: The absolute or relative shape ID of the operation.
            service: The shape ID of the service, if several services have an operation of this name.

        Raises:
            DefinitionError: The model has no such operation or several, or a path of its trait does not resolve.
            OSError: The file cannot be read.

        """
        service = None if service is None else str(service)
        with ModelText(model) as text:
            return super().__new__(cls, text, operation=str(operation), service=service)

    def pages(
        self, call: Callable[..., T], input: Mapping[str, Any] | None = None, **options: Unpack[PageOptions]
    ) -> Iterator[T]:
        """Iterate over the pages.

        >>> for page in paginator.pages(client.scan, {"TableName": "orders"}):
        ...     print(page["Count"])

        Args:
            call: The function that makes a request. The members of the input are its keyword arguments.
            input: The operation's input. Only the token and the page size differ between requests.
            **options: See `PageOptions`.

        Raises:
            PaginationError: A page repeats the token of its request or an invalid token, or cannot be read. The
                page is returned before the error is raised.
            OptionsError: An option is unknown or invalid, or the input is not a mapping.
            TypeError: `call` cannot be called, or returns an awaitable.

        """
        return _pages(_Walk(self, call, input, **options), "pages_async")

    def items(
        self,
        call: Callable[..., Any],
        input: Mapping[str, Any] | None = None,
        *,
        max_items: int | None = None,
        **options: Unpack[PageOptions],
    ) -> Iterator[Any]:
        """Iterate over the items of all pages. The items of a map are pairs of keys and values.

        Args:
            call: The function that makes a request. The members of the input are its keyword arguments.
            input: The operation's input. Only the token and the page size differ between requests.
            max_items: The maximum number of items. No further page is requested after them.
            **options: See `PageOptions`.

        Raises:
            PaginationError: A page repeats the token of its request or an invalid token, or cannot be read. The
                items of the page are returned before the error is raised.
            DefinitionError: The definition does not have the path of the items.
            OptionsError: An option is unknown or invalid, or the input is not a mapping.
            TypeError: `call` cannot be called, or returns an awaitable.

        """
        self.check_items()
        pages = _pages(_Walk(self, call, input, **options), "items_async")
        return islice(chain.from_iterable(map(self._items, pages)), _max_items(max_items))

    def pages_async(
        self, call: Callable[..., Awaitable[T]], input: Mapping[str, Any] | None = None, **options: Unpack[PageOptions]
    ) -> AsyncGenerator[T, None]:
        """Iterate over the pages of an asynchronous operation, on any async library. Use `async for`.

        Args:
            call: A function that makes a request and returns an awaitable. The members of the input are its keyword
                arguments.
            input: The operation's input. Only the token and the page size differ between requests.
            **options: See `PageOptions`.

        Raises:
            PaginationError: A page repeats the token of its request or an invalid token, or cannot be read. The
                page is returned before the error is raised.
            OptionsError: An option is unknown or invalid, or the input is not a mapping.
            TypeError: `call` cannot be called, or does not return an awaitable.

        """
        return _pages_async(_Walk(self, call, input, **options), "pages")

    def items_async(
        self,
        call: Callable[..., Awaitable[Any]],
        input: Mapping[str, Any] | None = None,
        *,
        max_items: int | None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncGenerator[Any, None]:
        """Iterate over the items of an asynchronous operation, on any async library. Use `async for`.

        Args:
            call: A function that makes a request and returns an awaitable. The members of the input are its keyword
                arguments.
            input: The operation's input. Only the token and the page size differ between requests.
            max_items: The maximum number of items. No further page is requested after them.
            **options: See `PageOptions`.

        Raises:
            PaginationError: A page repeats the token of its request or an invalid token, or cannot be read. The
                items of the page are returned before the error is raised.
            DefinitionError: The definition does not have the path of the items.
            OptionsError: An option is unknown or invalid, or the input is not a mapping.
            TypeError: `call` cannot be called, or does not return an awaitable.

        """
        self.check_items()
        pages = _pages_async(_Walk(self, call, input, **options), "items")
        return _items_async(pages, self._items, _max_items(max_items))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            type(self),
            self.to_json(),
            {"truncates": self.truncates, "page_size_kind": self.page_size_kind},
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(input_token={self.input_token!r}, page_size={self.page_size!r})"

    def _items(self, page: object) -> Iterable[Any]:
        items: Any = self.items_of(page)
        if items is None:
            return ()
        values: Any = items.items() if issubclass(type(items), Mapping) else items
        return values if issubclass(type(values), Iterable) else ()


def _rebuild(cls: type[Paginator], text: str, options: dict[str, Any]) -> Paginator:
    return _engine.Paginator.__new__(cls, text, **options)


class _Walk:
    """A walk of the engine, and the input for its requests."""

    def __init__(
        self,
        paginator: Paginator,
        call: Callable[..., Any],
        input: Mapping[str, Any] | None,
        *,
        start_token: Any = None,
        page_size: int | str | Callable[[int], int | str | None] | None = None,
        **options: Any,
    ) -> None:
        require_callable(call)
        members: Any = {} if input is None else input
        if not isinstance(members, Mapping):
            raise _must_be("input", "a mapping", input)
        self.call: Callable[..., Any] = call
        self._paginator = paginator
        self._input: Any = members
        # With 1 in place of a function, this checks that the trait has a page size.
        size = paginator.size_of(1 if callable(page_size) else page_size)
        self._page_size = page_size if callable(page_size) else size
        self._walk = _walk(paginator, options)
        self._request = _copy_token(self._walk.begin(start_token, self._input))
        self._token: Any = None

    @property
    def is_on(self) -> bool:
        """`True` if there is another page."""
        return self._request is not None

    def input(self) -> dict[str, Any]:
        """Return the input of the next request, as a copy of the caller's input."""
        page, token = self._request or (0, None)
        # The caller's input is never modified. Rule: docs/rules.md#page-tokens
        members: dict[str, Any] = dict(self._input)
        if token is not None:
            members[self._paginator.input_token] = token
        self._token = members.get(self._paginator.input_token)
        size = self._paginator.size_of(self._page_size(page)) if callable(self._page_size) else self._page_size
        if size is not None and self._paginator.page_size is not None:
            members[self._paginator.page_size] = size
        return members

    def handle(self, page: object) -> PaginationError | None:
        """Handle a page, and return the problem that ends the walk after it, or `None`."""
        try:
            self._request = _copy_token(self._walk.handle(page))
        except PaginationError as problem:
            problem.token, self._request = self._token, None
            return problem
        return None


def _walk(paginator: Paginator, options: dict[str, Any]) -> _engine.Walk:
    names = (*PageOptions.__annotations__, "max_items")
    check_names(options, names, ": pass the operation's input as a dict after the call")
    return _engine.Walk(paginator, **options)


_DICT: Any = dict
_LISTS: Any = list, tuple


def _copy_token(request: Any) -> Any:
    """Copy the token of a request, because the caller may modify the page that contains it."""
    # Not by the methods of a subclass, which may never end.
    for base in _LISTS:
        if issubclass(type(request), base):
            return [_copy_token(value) for value in base.__iter__(request)]
    if issubclass(type(request), _DICT):
        return {name: _copy_token(value) for name, value in _DICT.items(request)}
    return request


def _pages(walk: _Walk, instead: str) -> Iterator[Any]:
    while walk.is_on:
        page = walk.call(**walk.input())
        reject_awaitable(page, instead)
        # Before the page is yielded, because the caller may modify it.
        problem = walk.handle(page)
        yield page
        if problem is not None:
            raise problem


async def _pages_async(walk: _Walk, instead: str) -> AsyncGenerator[Any, None]:
    while walk.is_on:
        page = await require_awaitable(walk.call(**walk.input()), instead)
        # As in `_pages`: before the caller can modify the page.
        problem = walk.handle(page)
        yield page
        if problem is not None:
            raise problem


async def _items_async(
    pages: AsyncGenerator[Any, None], items_of: Callable[[Any], Iterable[Any]], limit: int | None
) -> AsyncGenerator[Any, None]:
    # Before the first call, which would be made for nothing.
    if limit == 0:
        return
    count = 0
    # Breaking out of the loop must also close the generator of the pages, and not when it is garbage-collected.
    async with aclosing(pages):
        async for page in pages:
            for item in items_of(page):
                yield item
                count += 1
                if count == limit:
                    return
