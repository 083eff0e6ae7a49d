"""Usage errors, and the validation of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from tavola.cli.locales import Translator
from tavola.errors import shortened

T = TypeVar("T")


class UsageError(Exception):
    """The arguments of a command are wrong. The command prints the message and exits with 2.

    Args:
        translate: The language of the message.
        key: The key of the message, without `error.`.
        nearest: A suggestion, if there is one.
        **params: The parameters of the message.
    """

    def __init__(
        self, translate: Translator, key: str, *, nearest: str | None = None, **params: object
    ) -> None:
        if "given" in params:
            params["given"] = shortened(str(params["given"]))
        message = translate(f"error.{key}", **params)
        if nearest is not None:
            message = translate.join_sentences(
                message, translate("error.did-you-mean", nearest=nearest)
            )
        super().__init__(message)


def nearest(given: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that is most similar to the given one, or None."""
    found = get_close_matches(given.lower(), list(valid), n=1, cutoff=0.5)
    return found[0] if found else None


def parse_whole_number(
    translate: Translator,
    name: str,
    given: str,
    least: int,
    most: int | None,
    valid: str | None = None,
) -> int:
    """Parse a whole number in a range.

    Args:
        translate: The language of messages.
        name: The name of the parameter.
        given: The given text.
        least: The minimum.
        most: The maximum, if there is one.
        valid: A description of the valid values. Default: the minimum and the maximum.

    Returns:
        The number.

    Raises:
        UsageError: If the text is not such a number.
    """
    try:
        number = int(given)
    except ValueError:
        number = least - 1
    if number < least or (most is not None and number > most):
        if valid is None:
            key = "valid.number" if most is None else "valid.range"
            valid = translate(key, least=least, most=most)
        raise UsageError(translate, "bad-value", name=name, given=given, valid=valid)
    return number


def parse_options(translate: Translator, given: list[str] | None) -> dict[str, str]:
    """Parse options given as NAME=VALUE.

    Raises:
        UsageError: If an option has another form.
    """
    chosen = {}
    for pair in given or []:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(translate, "not-a-pair", given=pair)
        chosen[name] = value
    return chosen


def parse_seconds(translate: Translator, name: str, given: str) -> float:
    """Parse a number of seconds, above 0 and at most a day.

    Raises:
        UsageError: If the text is not such a number.
    """
    try:
        number = float(given)
    except ValueError:
        number = 0.0
    if not 0.0 < number <= 86_400.0:
        raise UsageError(
            translate, "bad-value", name=name, given=given, valid=translate("valid.seconds")
        )
    return number


def parse_file(
    translate: Translator, path: Path, parse: Callable[[bytes], T], fault: type[Exception], key: str
) -> T:
    """Return the parsed contents of a file.

    Args:
        translate: The language.
        path: The file.
        parse: Parses the contents.
        fault: The exception of `parse` for other contents.
        key: The message for other contents.

    Raises:
        UsageError: If the file cannot be read or parsed.
    """
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise UsageError(translate, "cannot-read", file=path, detail=error) from None
    except fault as error:
        raise UsageError(translate, key, file=path, detail=error) from None


def check_writable(translate: Translator, path: Path) -> None:
    """Check that a file can be written, before the work starts.

    Raises:
        UsageError: If the file cannot be written.
    """
    known = path.exists()
    try:
        with path.open("ab"):
            pass
        if not known:
            path.unlink()
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=path, detail=error) from None


def parse_decimal(translate: Translator, name: str, given: str, most: int, valid: str) -> float:
    """Parse a number from 0 to a maximum.

    Args:
        translate: The language of messages.
        name: The name of the parameter.
        given: The given text.
        most: The maximum.
        valid: The message that describes the valid values.

    Raises:
        UsageError: If the text is not such a number.
    """
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= most:
        described = translate(valid, most=most)
        raise UsageError(translate, "bad-value", name=name, given=given, valid=described)
    return number
