"""What is wrong with a command: told in one or two sentences, exit status 2."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from tavola.cli.locales import Translator
from tavola.errors import shortened


class UsageError(Exception):
    """A command cannot be done as it was given.

    Args:
        words: The language to tell it in.
        key: The words' key, after `error.`.
        nearest: What was probably meant.
        params: What stands for the parameters of the words.
    """

    def __init__(
        self, words: Translator, key: str, *, nearest: str | None = None, **params: object
    ) -> None:
        if "given" in params:
            params["given"] = shortened(str(params["given"]))
        message = words(f"error.{key}", **params)
        if nearest is not None:
            message = words.join_sentences(message, words("error.nearest", nearest=nearest))
        super().__init__(message)


def nearest(given: str, valid: Iterable[str]) -> str | None:
    """The valid name that is most like the one given, if any is."""
    found = get_close_matches(given.lower(), list(valid), n=1, cutoff=0.5)
    return found[0] if found else None


def whole(
    words: Translator, name: str, given: str, least: int, most: int | None, valid: str | None = None
) -> int:
    """A whole number in a range.

    Args:
        words: What to speak.
        name: The parameter.
        given: What was given for it.
        least: The least number.
        most: The greatest, if there is one.
        valid: What is valid, in other words than these two numbers.

    Raises:
        UsageError: Naming the parameter, what was given and what is valid.
    """
    try:
        number = int(given)
    except ValueError:
        number = least - 1
    if number < least or (most is not None and number > most):
        if valid is None:
            key = "valid.number" if most is None else "valid.range"
            valid = words(key, least=least, most=most)
        raise UsageError(words, "bad-value", name=name, given=given, valid=valid)
    return number


def seconds(words: Translator, name: str, given: str) -> float:
    """A number of seconds, more than none and at most a day.

    Raises:
        UsageError: Naming the parameter, what was given and what is valid.
    """
    try:
        number = float(given)
    except ValueError:
        number = 0.0
    if not 0.0 < number <= 86_400.0:
        raise UsageError(words, "bad-value", name=name, given=given, valid=words("valid.seconds"))
    return number


def writable(words: Translator, path: Path) -> None:
    """Looks whether a file can be written, before the work whose result it is for.

    Raises:
        UsageError: If it cannot.
    """
    known = path.exists()
    try:
        with path.open("ab"):
            pass
        if not known:
            path.unlink()
    except OSError as error:
        raise UsageError(words, "cannot-write", file=path, detail=error) from None
