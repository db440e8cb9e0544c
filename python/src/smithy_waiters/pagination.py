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
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from . import _engine
from .drivers.call import reject_awaitable, require_awaitable, require_callable
from .errors import OptionsError, PaginationError
from .json_text import ModelText, of_definition
from .option_names import check_names

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
    from os import PathLike

    from typing_extensions import Self, Unpack

__all__ = ["PageOptions", "PaginatedDefinition", "PaginationError", "Paginator"]

T = TypeVar("T")


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
    """The token of another walk to start from; without one, or if it is empty, the input says where to start."""
    page_size: int | str | Callable[[int], int | str | None] | None
    """The greatest number of items of a page, from 1, or a function of the number of the page, from 1.

    If the model says that the input member is a string, an integer is converted. Without a model a string is sent
    unchanged.
    """
    repeated_token: Literal["error", "stop", "continue"] | None
    """What happens if a page has the token that it was requested with: a `PaginationError` by default."""
    stop_when_not_truncated: bool | None
    """Whether the walk ends if a page's top-level `IsTruncated` is false, whatever token it has; on by default."""


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
        service = None if service is None else str(service)
        with ModelText(model) as text:
            return super().__new__(cls, text, operation=str(operation), service=service)

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
        return _pages(_Walk(self, call, input, **options), "pages_async")

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
        self.check_items()
        pages = _pages(_Walk(self, call, input, **options), "items_async")
        return islice(chain.from_iterable(map(self._items, pages)), _limit(max_items))

    def pages_async(
        self, call: Callable[..., Awaitable[T]], input: Mapping[str, Any] | None = None, **options: Unpack[PageOptions]
    ) -> AsyncGenerator[T, None]:
        """Do the same as `pages` with a call that gives an awaitable, on any async library: use `async for`."""
        return _pages_async(_Walk(self, call, input, **options), "pages")

    def items_async(
        self,
        call: Callable[..., Awaitable[Any]],
        input: Mapping[str, Any] | None = None,
        *,
        max_items: int | None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncGenerator[Any, None]:
        """Do the same as `items` with a call that gives an awaitable, on any async library: use `async for`."""
        self.check_items()
        pages = _pages_async(_Walk(self, call, input, **options), "items")
        return _items_async(pages, self._items, _limit(max_items))

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


def _rebuild(cls: type[Paginator], text: str, of_model: dict[str, Any]) -> Paginator:
    return _engine.Paginator.__new__(cls, text, **of_model)


class _Walk:
    """The engine's walk, and the input that it writes its tokens into."""

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
            raise OptionsError("`input` must be a mapping", "invalid_option", "input")
        if page_size is not None and paginator.page_size is None:
            message = "the definition names no input member for `page_size`"
            raise OptionsError(message, "invalid_option", "page_size")
        self.call: Callable[..., Any] = call
        self._paginator = paginator
        self._input: Any = members
        self._page_size = page_size if callable(page_size) else self._size(page_size)
        self._walk = _walk(paginator, options)
        self._request = _copy_token(self._walk.begin(start_token, self._input))
        self._token: Any = None

    @property
    def is_on(self) -> bool:
        """Whether there is another page."""
        return self._request is not None

    def input(self) -> dict[str, Any]:
        """Return the input of the next request; the caller's own stays unchanged."""
        page, token = self._request or (0, None)
        members: dict[str, Any] = dict(self._input)
        if token is not None:
            members[self._paginator.input_token] = token
        self._token = members.get(self._paginator.input_token)
        size = self._size(self._page_size(page)) if callable(self._page_size) else self._page_size
        if size is not None and self._paginator.page_size is not None:
            members[self._paginator.page_size] = size
        return members

    def handle(self, page: object) -> PaginationError | None:
        """Take a page; returns the problem that ends the walk after it."""
        try:
            self._request = _copy_token(self._walk.handle(page))
        except PaginationError as problem:
            problem.token, self._request = self._token, None
            return problem
        return None

    def _size(self, value: Any) -> int | str | None:
        kind = self._paginator.page_size_kind
        if value is None or (isinstance(value, str) and kind != "integer"):
            return value
        size = _integer("page_size", value, 1)
        return str(size) if kind == "string" else size


def _walk(paginator: Paginator, options: dict[str, Any]) -> _engine.Walk:
    names = (*PageOptions.__annotations__, "max_items")
    check_names(options, names, ": the operation's input is a dict, given after the call")
    return _engine.Walk(paginator, **options)


def _copy_token(request: Any) -> Any:
    """Copy the token of a request: a page that is changed by its taker must not change the walk."""
    if issubclass(type(request), dict):
        return {name: _copy_token(value) for name, value in request.items()}
    if issubclass(type(request), list | tuple):
        return [_copy_token(value) for value in request]
    return request


def _integer(option: str, value: Any, least: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise OptionsError(f"`{option}` must be an integer, at least {least}", "invalid_option", option)


def _limit(max_items: int | None) -> int | None:
    return None if max_items is None else _integer("max_items", max_items, 0)


def _pages(walk: _Walk, instead: str) -> Iterator[Any]:
    while walk.is_on:
        page = walk.call(**walk.input())
        reject_awaitable(page, instead)
        # Before the page is yielded: its taker may change it.
        problem = walk.handle(page)
        yield page
        if problem is not None:
            raise problem


async def _pages_async(walk: _Walk, instead: str) -> AsyncGenerator[Any, None]:
    while walk.is_on:
        page = await require_awaitable(walk.call(**walk.input()), instead)
        problem = walk.handle(page)
        yield page
        if problem is not None:
            raise problem


async def _items_async(
    pages: AsyncGenerator[Any, None], items_of: Callable[[Any], Iterable[Any]], limit: int | None
) -> AsyncGenerator[Any, None]:
    if limit == 0:
        return
    count = 0
    async with aclosing(pages):
        async for page in pages:
            for item in items_of(page):
                yield item
                count += 1
                if count == limit:
                    return
