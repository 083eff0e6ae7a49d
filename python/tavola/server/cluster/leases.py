"""Leases: which of several processes keeps a match.

A lease is a key in Redis (or Valkey) that expires. A process that dies, or cannot reach Redis,
loses its matches to the process that receives their next request. A paused process may still write
once to the log of a lost match. The log's sequence numbers accept only one of the two writes, and
`Router` makes the other process reload the match.
"""

from __future__ import annotations

from collections.abc import Sequence

from redis.asyncio import Redis

LEASE_SECONDS = 6.0
"""For how long a match is one's own if nothing is heard of one any more."""

RENEW_SECONDS = 1.5
"""How often, in seconds, leases are renewed."""

BATCH = 500
"""How many leases are taken at once, so that others need not wait for long."""

# Free and one's own ones become one's own for the whole time; whose they are is answered.
_TAKE = """
local keepers = {}
for number, key in ipairs(KEYS) do
  local keeper = redis.call('GET', key)
  if not keeper or keeper == ARGV[1] then
    redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
    keeper = ARGV[1]
  end
  keepers[number] = keeper
end
return keepers
"""

_RELEASE = """
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then
    redis.call('DEL', key)
  end
end
"""


class Leases:
    """The leases of one process.

    Args:
        redis: Where they are.
        name: The process's name.
    """

    def __init__(self, redis: Redis, name: str) -> None:
        self._name = name
        self._take = redis.register_script(_TAKE)
        self._release = redis.register_script(_RELEASE)

    async def acquire(self, matches: Sequence[str]) -> list[str]:
        """Acquire free matches and renew own leases.

        Returns:
            By match, the name of who keeps it now.
        """
        owners = list[str]()
        for first in range(0, len(matches), BATCH):
            keys = _keys(matches[first : first + BATCH])
            found = await self._take(keys=keys, args=[self._name, round(LEASE_SECONDS * 1000)])
            owners += [owner.decode() for owner in found]
        return owners

    async def release(self, matches: Sequence[str]) -> None:
        """Release the matches of this process to others at once."""
        for first in range(0, len(matches), BATCH):
            await self._release(keys=_keys(matches[first : first + BATCH]), args=[self._name])


def _keys(matches: Sequence[str]) -> list[str]:
    return [f"tavola:match:{match}" for match in matches]
