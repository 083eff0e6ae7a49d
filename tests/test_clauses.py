"""Every clause that code cites (`rules 10`) exists in the game's `rules/clauses.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.references import GAMES

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs/examples"
FOLDERS = sorted(
    path.parents[1] for parent in (GAMES, EXAMPLES) for path in parent.glob("*/rules/clauses.md")
)
SOURCES = {".rs", ".py", ".md", ".json"}
CITATION = re.compile(r"\brules ((?:\d+[a-z]?)(?:(?:, | and |-)\d+[a-z]?)*)")
CLAUSE = re.compile(r"(?m)^(\d+[a-z]?)\. ")
PART = re.compile(r"(?m)^(\d+)\. |^ +([a-z])\. ")


def clauses(folder: Path) -> list[str]:
    """Return the numbers of a game's clauses, in order."""
    return CLAUSE.findall((folder / "rules/clauses.md").read_text("utf-8"))


def parts(folder: Path) -> Iterator[str]:
    """Yield the lettered parts of a game's clauses, as ``10a``."""
    number = ""
    for clause, letter in PART.findall((folder / "rules/clauses.md").read_text("utf-8")):
        number = clause or number
        if letter:
            yield number + letter


def citations(text: str) -> Iterator[str]:
    """Yield every clause that a text cites, ranges by their ends."""
    for cited in CITATION.findall(text):
        yield from re.findall(r"\d+[a-z]?", cited)


def test_citations_are_found_in_lists_and_ranges() -> None:
    text = "(rules 7, 10, 18a) as in rules 3-5, by rules 8 and 9. See rule 7."
    assert list(citations(text)) == ["7", "10", "18a", "3", "5", "8", "9"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_clauses_are_numbered_without_gaps(folder: Path) -> None:
    numbers = [int(re.sub(r"\D", "", clause)) for clause in clauses(folder)]
    assert sorted(set(numbers)) == list(range(1, numbers[-1] + 1))
    assert numbers == sorted(numbers)
    assert len(set(clauses(folder))) == len(numbers)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_cited_clause_exists(folder: Path) -> None:
    known = {*clauses(folder), *parts(folder)}
    cited = [
        (str(path.relative_to(ROOT)), clause)
        for path in sorted(folder.rglob("*"))
        if path.suffix in SOURCES and path.is_file() and "__pycache__" not in path.parts
        for clause in citations(path.read_text("utf-8"))
    ]
    assert cited
    assert [citation for citation in cited if citation[1] not in known] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_clauses_are_anchors_of_the_rule_books(folder: Path) -> None:
    for language in ("en", "ja"):
        book = (folder / f"rules/{language}.md").read_text("utf-8")
        anchors = re.findall(r"\{#clause-(\w+)\}", book)
        assert sorted(anchors) == sorted(clauses(folder))
