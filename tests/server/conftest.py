from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the service needs texlift[serve]")
pytest.importorskip("math_core", reason="the service needs texlift[serve]")

from client import Client

from texlift.server.process import Service, running


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A real service with two workers."""
    with running("--workers", "2", "--timeout", "3") as started:
        yield started


@pytest.fixture(scope="session")
def client(service: Service) -> Client:
    return Client(service)
