"""Retries of requests: strategies, classification of errors, and the functions that run a request.

>>> from smithy_waiters.retry import StandardRetryStrategy, retry
>>> strategy = StandardRetryStrategy(max_retries=2)  # one for all requests of a client
>>> answers = iter([ConnectionResetError(), "content"])
>>> def read():
...     answer = next(answers)
...     if isinstance(answer, Exception):
...         raise answer
...     return answer
>>> retry(read, strategy=strategy, idempotent=True, sleep=lambda seconds: None)
'content'

By default a call is not idempotent, and is only retried if the service invites a retry. Pass `idempotent=True` for a
call that can be repeated safely. Disable the retries of the client itself, because they multiply with these.

The interfaces follow the Smithy guide `Retrying requests
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
