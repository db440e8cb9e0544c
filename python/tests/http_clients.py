"""Requests of several HTTP clients that do not retry, and errors like theirs."""

from __future__ import annotations

import asyncio
import urllib.request
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
import boto3  # type: ignore[import-untyped]
import httpx
import requests
import urllib3
from botocore.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable


def with_requests(url: str) -> Any:
    response = requests.get(url, timeout=60)
    response.raise_for_status()
    return response.text


def with_httpx(url: str) -> Any:
    return httpx.get(url, timeout=60, trust_env=False).raise_for_status().text


def with_aiohttp(url: str) -> Any:
    async def get() -> Any:
        # A resolver that a test can replace.
        connector = aiohttp.TCPConnector(resolver=aiohttp.ThreadedResolver())
        session = aiohttp.ClientSession(connector=connector, raise_for_status=True)
        async with session, session.get(url) as response:
            return await response.text()

    return asyncio.run(get())


def with_urllib(url: str) -> Any:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url) as response:
        return response.read()


def with_urllib3(url: str, retries: Any = False) -> Any:  # noqa: FBT002 - the library's default.
    return urllib3.PoolManager().request("GET", url, retries=retries)


def dynamodb(url: str) -> Any:
    return boto3.client(
        "dynamodb",
        region_name="eu-central-1",
        endpoint_url=url,
        aws_access_key_id="none",
        aws_secret_access_key="none",  # noqa: S106 - for a server of a test.
        config=Config(retries={"total_max_attempts": 1}, proxies={}, inject_host_prefix=False),
    )


RAISING: list[Callable[[str], Any]] = [with_requests, with_httpx, with_aiohttp, with_urllib]
"""Clients that raise an error for the status of a response."""

CLIENTS: list[Callable[[str], Any]] = [
    *RAISING,
    with_urllib3,
    partial(with_urllib3, retries=0),
    lambda url: dynamodb(url).list_tables(),
]


def caused_by(outer: Exception, *causes: Exception) -> Exception:
    last = outer
    for cause in causes:
        last.__cause__ = cause
        last = cause
    return outer


class CallError(Exception):
    """An error with the attributes of smithy-python's errors, which contain their classification."""

    fault: str | None = None
    is_retry_safe: bool | None = None
    retry_after: Any = None
    is_throttling_error = False
    is_timeout_error = False
    response_metadata: Any = SimpleNamespace(request_id=None, http_status_code=None)

    def __init__(self, message: str = "", **known: Any) -> None:
        super().__init__(message)
        vars(self).update(known)
