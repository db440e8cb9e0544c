"""The attempts of a wait on Temporal, without a server: each one in the SDK's environment for activities."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from temporalio import activity
from temporalio.api.failure.v1 import Failure
from temporalio.client import Client
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from smithy_waiters.durable.stored import progress

if TYPE_CHECKING:
    from smithy_waiters.temporal import DurableWait

CONVERTER = DataConverter.default


class Attempts:
    """The attempts of one wait, one after another, as a server would start them.

    Nothing waits for the delays between them. The engine continues at the time when the attempt is due.
    """

    def __init__(self, wait: DurableWait[Any], *arguments: Any, **options: Any) -> None:
        now = datetime.now(timezone.utc)
        self.info = replace(
            ActivityEnvironment.default_info(),
            activity_id="1",
            activity_type=wait.name,
            workflow_id="job",
            scheduled_time=now,
            # A worker starts it a little later.
            started_time=now + timedelta(milliseconds=20),
        )
        self.environment = ActivityEnvironment()
        self.left: list[ApplicationError] = []
        """The failures that left the activity to its next attempt."""
        self.cancelled: Any = None
        """The report of the cancellation."""
        self._wait = wait
        # Temporal stores the argument as JSON.
        self._request = json.loads(json.dumps(wait.request(*arguments, **options)))

    async def next(self) -> Any:
        """Make the next attempt. Return its result, or `None` if it is left to the server.

        Raises:
            ApplicationError: The wait failed. It is as the workflow receives it.

        """
        client = await Client.connect("127.0.0.1:1", lazy=True)
        service: Any = client.workflow_service
        service.respond_activity_task_failed = self._failed
        service.respond_activity_task_canceled = self._canceled
        self.environment = ActivityEnvironment(client)
        self.environment.info = self.info
        self.environment.on_heartbeat = self._beat
        try:
            return json.loads(json.dumps(await self.environment.run(self._wait.activity, self._request)))
        except ApplicationError as error:
            failure = Failure()
            await CONVERTER.encode_failure(error, failure)
        except activity._CompleteAsyncError:  # noqa: SLF001 - what `raise_complete_async` raises.
            return None
        # Not in the handler, whose error would become the context of this one.
        raise await _decoded(failure)

    async def end(self) -> Any:
        """Make attempts until the wait ends, and return its result."""
        for _ in range(100):
            result = await self.next()
            if result is not None:
                return result
        raise AssertionError("the wait does not end")

    def lose(self) -> None:
        """Start again without the end of an attempt, as after the heartbeat timeout."""
        self.info = replace(self.info, attempt=self.info.attempt + 1)

    def delay(self) -> timedelta:
        """Return the time that the server waits before the next attempt."""
        delay = self.left[-1].next_retry_delay
        assert delay is not None
        return delay

    def progress(self) -> dict[str, Any]:
        """Return the latest attempt as plain data."""
        latest = progress(self.details["state"])
        assert latest is not None
        return latest

    @property
    def details(self) -> Any:
        """The details of the last heartbeat."""
        return self.info.heartbeat_details[0]

    @details.setter
    def details(self, details: Any) -> None:
        self.info = replace(self.info, heartbeat_details=[details])

    def _beat(self, *details: Any) -> None:
        (self.details,) = json.loads(json.dumps(details))

    async def _failed(self, request: Any, **_: Any) -> None:
        # The state and the failure are in one request.
        (details,) = await CONVERTER.decode_wrapper(request.last_heartbeat_details)
        self.left.append(await _decoded(request.failure))
        self.info = replace(self.info, attempt=self.info.attempt + 1, heartbeat_details=[details])

    async def _canceled(self, request: Any, **_: Any) -> None:
        (self.cancelled,) = await CONVERTER.decode_wrapper(request.details)


async def _decoded(failure: Failure) -> ApplicationError:
    error = await CONVERTER.decode_failure(failure)
    assert isinstance(error, ApplicationError)
    return error
