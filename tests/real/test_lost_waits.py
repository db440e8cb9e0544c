"""Test clients behind a proxy that fails most requests: no wait is lost, and waits that cannot succeed end early."""

from __future__ import annotations

import json
import os
import socket
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lost_waits import SCENARIOS, Aiobotocore, Boto3, Client
from services import Services, running

from smithy_waiters import WaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator

# aiobotocore requires another version of botocore than boto3, so it has a separate environment.
CLIENT: Client = Aiobotocore() if find_spec("aiobotocore") else Boto3()

SEED = 7

# The folder for reports. Without a folder, the client's own waiter does not run.
REPORTS = os.environ.get("SMITHY_WAITERS_LOST_WAITS_REPORTS")

REVOKED = [(400, "UnrecognizedClientException"), (403, "InvalidSignatureException")]

# An address at which no service listens.
REFUSED = "http://127.0.0.1:1"


# Without reports, only the first scenario runs.
RUN = SCENARIOS if REPORTS else SCENARIOS[:1]


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with running(max(scenario["waits"] for scenario in RUN)) as found:
        yield found


def lost(services: Services, scenario: dict[str, Any], *, retries: bool, own: bool) -> list[BaseException]:
    """Run the waits of a scenario, and return the errors of those that fail."""
    services.seed(SEED, scenario["faults"])
    errors = CLIENT.lost(services.proxy, scenario, retries=retries, own=own)
    if REPORTS is not None:
        counts = {"waits": scenario["waits"], "lost": len(errors), "calls": services.count()}
        name = scenario["name"]
        text = json.dumps({"client": CLIENT.name, "scenario": name, "retries": retries, "own": own, **counts})
        Path(REPORTS, f"{CLIENT.name}-{name}-{own}-{retries}.json").write_text(text, encoding="utf-8")
    return errors


@pytest.mark.parametrize("scenario", RUN, ids=itemgetter("name"))
@pytest.mark.parametrize("retries", [True, False])
def test_no_wait_is_lost(services: Services, scenario: dict[str, Any], *, retries: bool) -> None:
    assert lost(services, scenario, retries=retries, own=False) == []


@pytest.mark.skipif(REPORTS is None, reason="only for the report: cargo xtask deep --only lost-waits")
@pytest.mark.parametrize("scenario", RUN[1:], ids=itemgetter("name"))
@pytest.mark.parametrize("retries", [True, False])
def test_waits_that_the_client_loses(services: Services, scenario: dict[str, Any], *, retries: bool) -> None:
    lost(services, scenario, retries=retries, own=True)


def ended(endpoint: str, *, retries: bool = False, **config: Any) -> tuple[str, int, float]:
    """Run a wait, and return the code of its failure, its attempts and its time."""
    clock = FakeClock()
    with pytest.raises(WaiterFailed) as caught:
        CLIENT.wait(endpoint, {"max_wait": 3600, "clock": clock}, retries=retries, **config)
    return caught.value.code, caught.value.attempts, clock.now


def test_a_service_that_refuses_connections_is_given_up() -> None:
    code, _, time = ended(REFUSED)
    assert code == "unreachable"
    assert 120 <= time <= 130


@pytest.fixture
def silent() -> Iterator[str]:
    """Return the address of a service that never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_service_that_never_answers_is_given_up(silent: str) -> None:
    code, _, time = ended(silent, read_timeout=0.1)
    assert code == "unreachable"
    assert 120 <= time <= 130


def test_a_service_that_exceeds_the_attempt_timeout_is_given_up(silent: str) -> None:
    options = {"max_wait": 60, "min_delay": 0.01, "attempt_timeout": 0.1, "transient_window": 0.5}
    with pytest.raises(WaiterFailed) as caught:
        CLIENT.wait(silent, options, retries=False, read_timeout=0.2)
    assert caught.value.code == "unreachable"


@pytest.mark.parametrize("retries", [True, False])
@pytest.mark.parametrize(("status", "code"), REVOKED)
def test_a_revoked_key_ends_a_wait_at_once(services: Services, status: int, code: str, *, retries: bool) -> None:
    body = {"__type": f"com.amazon.coral.service#{code}", "message": "invalid"}
    services.script(*[{"status": status, "body": body}] * 2)
    assert ended(services.proxy, retries=retries) == ("unmatched_error", 1, 0)
    assert services.count() == 1


def test_a_misspelt_host_name_ends_a_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: Any, *_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, f"cannot resolve {host}")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert ended("http://misspelt.invalid") == ("unmatched_error", 1, 0)
