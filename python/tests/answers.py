"""Real clients of boto3, whose responses come from a hook before the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boto3.session import Session  # type: ignore[import-untyped]
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = {"region_name": "eu-central-1", "aws_access_key_id": "key", "aws_secret_access_key": "secret"}


class Body:
    """The body of a response."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def stream(self, **_: object) -> Iterator[bytes]:
        yield self._data


class Answers:
    """A service that answers with the statuses and bodies of a script. The last entry repeats."""

    def __init__(self, *script: tuple[int, bytes] | Exception) -> None:
        self._script = list(script)
        self.requests: list[Any] = []

    def __call__(self, request: Any, **_: object) -> AWSResponse:
        self.requests.append(request)
        answer = self._script[0] if len(self._script) == 1 else self._script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, data = answer
        return AWSResponse(request.url, status, HTTPHeaders(), Body(data))


def answering(service: str, *script: tuple[int, bytes] | Exception, **settings: str) -> tuple[Any, Answers]:
    """Return a client, and the service that answers it."""
    answers = Answers(*script)
    client: Any = Session().client(service, **{**LOCAL, **settings})
    client.meta.events.register(f"before-send.{service}", answers)
    return client, answers
