"""A retry strategy inside of a wait: it is asked about errors that no acceptor matches."""

from __future__ import annotations

import math
import time

from smithy_waiters.errors import RetryRefusal, TokenError
from smithy_waiters.retry.reading import classify
from smithy_waiters.retry.token import Held


class Transients(Held):
    """A strategy, and the token of the attempts since the newest one that a response or an acceptor decided."""

    def pause(self, error: Exception) -> float | str:
        """Give the least pause in milliseconds, where the strategy allows another attempt; else why it does not.

        A wait only looks: its calls may be repeated without harm.
        """
        failure = classify(error, idempotent=True, now=time.time())
        try:
            seconds = self.refresh(failure)
        except (RetryRefusal, TokenError) as refusal:
            return refusal.message
        # Rounded up, but for the noise of floating point.
        return math.ceil(round(seconds * 1000, 6))
