"""The messages of the package: complete in every language, with the same parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import tavola
from tavola.language import LANGUAGES
from tavola.messages import fill

FOLDERS = sorted(Path(tavola.__file__).parent.rglob("locales"))
PACKAGE = Path(tavola.__file__).parent
EQUAL = {"play.choose", "play.yes"}
"""Messages with letters that may be equal in two languages."""


def parameters(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


def own(folder: Path, language: str) -> Mapping[str, str]:
    """The messages in a language's own file, without the English messages that it lacks."""
    messages: dict[str, str] = json.loads((folder / f"{language}.json").read_text("utf-8"))
    return messages


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(PACKAGE)))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_messages_with_the_same_parameters(
    folder: Path, language: str
) -> None:
    english, words = own(folder, "en"), own(folder, language)
    if folder.parent.name == "messages":
        # The code has the English messages of errors; `tests/cli/test_locales.py` compares them.
        words = {key: text for key, text in words.items() if key.startswith("language.")}
    assert list(english) == list(words)
    for key, text in english.items():
        assert parameters(text) == parameters(words[key]), key
        if language != "en" and re.search("[a-z]", re.sub(r"\{\w+\}", "", text)):
            assert (text == words[key]) == (key in EQUAL), key


def test_a_parameter_that_is_not_given_stays() -> None:
    params = {"a": "{b}"}
    assert fill("{a} {b} {c", params, lambda name: params[name]) == "{b} {b} {c"
