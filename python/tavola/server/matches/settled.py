"""What follows from a match as it stands: found out when it is first asked for, and then known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    settled = property
else:

    class settled(Generic[T]):  # noqa: N801 (it is used as `property` is)
        """A property that is found out once, until `unsettle` is called."""

        def __init__(self, find: Callable[[Any], T]) -> None:
            self._find = find
            self.__doc__ = find.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, whose: Any, owner: type) -> T:
            # From now on it is an attribute, which comes before this.
            value = whose.__dict__[self._name] = self._find(whose)
            return value


def unsettle(whose: object) -> None:
    """Something has happened: all that was settled is to be found out anew."""
    known = whose.__dict__
    for name in _settled(type(whose)):
        known.pop(name, None)


_NAMES: dict[type, tuple[str, ...]] = {}


def _settled(owner: type) -> tuple[str, ...]:
    names = _NAMES.get(owner)
    if names is None:
        names = _NAMES[owner] = tuple(
            name for name, value in vars(owner).items() if isinstance(value, settled)
        )
    return names
