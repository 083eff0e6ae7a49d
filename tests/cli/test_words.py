"""The words of the command line: the same keys and parameters in every language, all used."""

from __future__ import annotations

import re
from pathlib import Path

import tavola.cli
from tavola.cli.words import entries

SOURCE = "\n".join(file.read_text() for file in Path(tavola.cli.__file__).parent.rglob("*.py"))


def test_the_languages_have_the_same_keys_and_parameters() -> None:
    english, japanese = entries("en"), entries("ja")
    assert list(english) == list(japanese)
    for key in english:
        wanted, given = (
            sorted(re.findall(r"\{(\w+)\}", words[key])) for words in (english, japanese)
        )
        assert wanted == given, key


def test_japanese_is_japanese() -> None:
    same = [key for key, words in entries("ja").items() if words == entries("en")[key]]
    assert same == ["play.choose", "play.yes"]


def test_every_word_is_used() -> None:
    for key in entries("en"):
        group, _, name = key.partition(".")
        groups = ("error", "games", "bench", "match", "analyse")
        named = group in groups and f'"{name}"' in SOURCE
        assert named or f'"{key}"' in SOURCE or f"'{key}'" in SOURCE, key
