"""The server of the client's tests."""

from tests.server.conftest import server as server
