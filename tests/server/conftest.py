from collections.abc import Iterator
from dataclasses import replace

import pytest

from tavola.server.accounts import passwords
from tavola.server.ops import rate_limits
from tests.server.live_server import LiveServer, serve


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords with the least work: a test of accounts signs in more often than a person."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "PROFILE", "CHEAPEST")
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with pytest.MonkeyPatch.context() as patch:
        # All tests come from one address, and make more accounts than a person would.
        patch.setattr(rate_limits, "SIGN_UP", replace(rate_limits.SIGN_UP, burst=1000.0))
        patch.setattr(rate_limits, "SIGN_IN", replace(rate_limits.SIGN_IN, burst=1000.0))
        with serve(tmp_path_factory.mktemp("server")) as running:
            yield running
