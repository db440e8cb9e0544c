"""Requests that are made again: who decides whether, how long to wait before it, and the loop that does it.

>>> from smithy_waiters.retry import StandardRetryStrategy, retry
>>> strategy = StandardRetryStrategy(max_retries=2)  # one for all the requests of a client
>>> answers = iter([ConnectionResetError(), "content"])
>>> def read():
...     answer = next(answers)
...     if isinstance(answer, Exception):
...         raise answer
...     return answer
>>> retry(read, strategy=strategy, idempotent=True, sleep=lambda seconds: None)
'content'

A call is taken as one that must not be repeated, unless `idempotent=True` says otherwise: then only what the service
itself invites to retry is. Switch a client's own retries off: they multiply with these.

The interfaces are those of the Smithy documents, `Retrying requests
<https://smithy.io/2.0/guides/client-guidance/retries.html>`_.
"""

from smithy_waiters._engine import FailureInfo, RetryInfo, RetryQuota, StandardRetryStrategy, StandardRetryToken
from smithy_waiters.errors import RetryCancelled, RetryError, RetryRefusal, RetryTimeout, TokenError
from smithy_waiters.literals import ErrorFault, RetrySafety

from .classification import RetryNote, classify
from .drive import retry, retry_async
from .options import RetryOptions
from .request import RetryProgress
from .strategy import NoRetries, RetryStrategy, RetryToken

__all__ = [
    "ErrorFault",
    "FailureInfo",
    "NoRetries",
    "RetryCancelled",
    "RetryError",
    "RetryInfo",
    "RetryNote",
    "RetryOptions",
    "RetryProgress",
    "RetryQuota",
    "RetryRefusal",
    "RetrySafety",
    "RetryStrategy",
    "RetryTimeout",
    "RetryToken",
    "StandardRetryStrategy",
    "StandardRetryToken",
    "TokenError",
    "classify",
    "retry",
    "retry_async",
]
