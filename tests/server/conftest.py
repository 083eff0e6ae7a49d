from collections.abc import Iterator

import pytest

from tests.server.house import House, serve


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with serve(tmp_path_factory.mktemp("house")) as running:
        yield running
