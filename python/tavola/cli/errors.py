"""Usage errors, and the checks of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from tavola.cli.locales import Translator
from tavola.errors import EngineError, EngineFailed, shortened

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


class BadValue(Exception):
    """The value of a parameter is invalid.

    Args:
        name: The name of the parameter.
        given: The given text.
        valid: The key of a description of the valid values.
        **params: The parameters of the description.
    """

    def __init__(self, name: str, given: object, valid: str, **params: object) -> None:
        super().__init__(name, given)
        self.name = name
        self.given = given
        self.valid = valid
        self.params = params

    def translated(self, translate: Translator) -> UsageError:
        """Return the error with a message in a language."""
        valid = translate(self.valid, **self.params)
        return UsageError(translate, "bad-value", name=self.name, given=self.given, valid=valid)


class NotAPair(Exception):
    """A text is not NAME=VALUE."""

    def translated(self, translate: Translator) -> UsageError:
        """Return the error with a message in a language."""
        return UsageError(translate, "not-a-pair", given=self.args[0])


def nearest(given: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that is most similar to the given one, or None."""
    found = get_close_matches(given.lower(), list(valid), n=1, cutoff=0.5)
    return found[0] if found else None


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


@contextmanager
def engine_errors(translate: Translator) -> Iterator[None]:
    """Raise errors of engines in the block as usage errors.

    Raises:
        UsageError: If a specification is invalid, or an engine cannot be started or fails.
    """
    try:
        yield
    except (EngineError, EngineFailed) as error:
        raise UsageError(translate, "engine", detail=error) from None


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
