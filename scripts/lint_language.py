#!/usr/bin/env python3
"""Lint the English of messages, docs, docstrings and comments: words, openings, sentence length.

`python scripts/lint_language.py [PATH...]` prints `file:line: reason` for each finding and exits
with 1 if there is one. Without a path it reads the whole repository. The word list and the
exceptions, each with its reason, are in `scripts/lint_language.toml`.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_WORDS = 30
RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
BANNED = [
    (re.compile(rf"\b(?:{word})\b", re.IGNORECASE), say) for word, say in RULES["words"].items()
]
BUILT = {"node_modules", "target", "dist", "site", "messages.ts", "__pycache__"}
CODE = {".rs", ".ts", ".js", ".svelte", ".css", ".html"}
HASHED = {".toml", ".yml", ".yaml", ".sh", ".in", ".ini"}


@dataclass(slots=True)
class Block:
    """A piece of prose in which a sentence may run over several lines."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    sentences: bool = True

    def text(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the prose in one line, and the offset at which each source line begins."""
        text, starts = "", []
        for number, line in self.lines:
            starts.append((len(text), number))
            text += line.strip() + " "
        return text, starts


@dataclass(frozen=True, slots=True)
class Finding:
    """One place that breaks a rule."""

    path: str
    line: int
    reason: str
    excerpt: str

    def __str__(self) -> str:
        """Return the finding as one line of output."""
        return f"{self.path}:{self.line}: {self.reason}"


# Markdown, which docstrings and doc comments are written in too.

FENCE = re.compile(r"^\s*(?:>\s*)?(```+|~~~+)\s*(\S*)")
FENCED = re.compile(r"(?:^|\s)(?:#|//)\s+(\S.*)$")
ITEM = re.compile(r"^\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+")
ENTRY = re.compile(r"^\s+\*{0,2}[\w.\[\]]+(?: \([^)]*\))?: ")
NAME = re.compile(r"^[a-z_][a-z0-9_]*: ")
SECTION = re.compile(
    r"^(?:Args|Arguments|Returns|Raises|Yields|Attributes|Examples?|Notes?|Source|Sources):?\s*$"
)
TAG = re.compile(r"^\s*@\w+")
UNPROSED = [
    (re.compile(r"(`+)(?:(?!\1).)+?\1"), "Code"),
    (re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^)]*\))*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\[[^\]]*\]"), r"\1"),
    (re.compile(r"\{[#.:][^}]*\}"), ""),
    (re.compile(r"<!--.*?-->|</?[a-zA-Z][^>]*>"), ""),
    (re.compile(r"\bhttps?://\S+?(?=[.,;:)]*(?:\s|$))"), "Address"),
    (re.compile(r"\{[^{}\s]*\}"), "Value"),
]


def markdown(lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
    """Split Markdown into blocks of prose, without code; table cells and list items apart."""
    block = Block()
    fence, kind, prompt = "", "", False
    for number, line in lines:
        opened = FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence) and not opened[2]:
                fence = ""
            elif kind == "figure" and line.startswith("caption:"):
                yield Block([(number, line.removeprefix("caption:"))])
            elif kind != "figure" and (comment := FENCED.search(line)):
                yield Block([(number, comment[1])], sentences=False)
            continue
        stripped = line.strip()
        prompt = stripped.startswith(">>>") or (prompt and bool(stripped))
        table = stripped.startswith("|")
        alone = table or stripped.startswith("#") or SECTION.match(stripped) or opened or prompt
        starts = ITEM.match(line) or ENTRY.match(line) or TAG.match(line)
        if (not stripped or alone or starts) and block.lines:
            yield block
            block = Block()
        if opened:
            fence, kind = opened[1], opened[2]
        elif table:
            for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                yield Block([(number, cell)])
        elif stripped.startswith("#"):
            yield Block([(number, stripped.lstrip("#"))])
        elif stripped and not alone:
            text = ITEM.sub("", line) if ITEM.match(line) else stripped.lstrip("> ")
            # The name of a parameter or an attribute is code.
            text = NAME.sub("Name: ", text) if ENTRY.match(line) else text
            block.lines.append((number, text))
    if block.lines:
        yield block


# Sources

MARKS = re.compile(r"\s*(?:type: ignore|noqa|pragma|ruff:|fmt:|mypy:|eslint|prettier|@ts-|!|SPDX)")


def runs(comments: Iterable[tuple[int, str, str]]) -> Iterator[Block]:
    """Join comments (line, kind, text) of one kind on consecutive lines, and read them."""
    run: list[tuple[int, str]] = []
    last: tuple[int, str] = (-1, "")
    for number, kind, text in comments:
        if run and (number != last[0] + 1 or kind != last[1]):
            yield from markdown(run)
            run = []
        if not MARKS.match(text):
            run.append((number, text))
        last = (number, kind)
    yield from markdown(run)


def python(text: str) -> Iterator[Block]:
    """Read the docstrings and comments of Python code, and its strings for the word list."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [
        (token.start[0], "#" if token.line.lstrip().startswith("#") else "end", token.string[1:])
        for token in tokens
        if token.type == tokenize.COMMENT
    ]
    trailing = {number for number, kind, _ in comments if kind == "end"}
    yield from runs(
        # A comment after code belongs to its own line, also on consecutive lines.
        (number, f"end {number}" if number in trailing else kind, body)
        for number, kind, body in comments
    )
    tree = ast.parse(text)
    documented = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as value) as constant):
                documented.add(constant)
                yield from markdown(
                    [(node.lineno + index, line) for index, line in enumerate(value.split("\n"))]
                )
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as value) if node not in documented and " " in value:
                yield Block([(node.lineno, value)], sentences=False)


COMMENT = re.compile(r"^(\s*)(//[/!]?|/\*\*?|<!--)\s?(.*)$")
ENDS = {"/*": "*/", "/**": "*/", "<!--": "-->"}


def trailing(line: str) -> str | None:
    """Return the comment after code on a line, if it has one."""
    for found in re.finditer(r"(?<!:)//\s", line):
        before = line[: found.start()]
        if all(before.count(quote) % 2 == 0 for quote in '"`') and before.count("'") % 2 == 0:
            return line[found.end() :]
    return None


def code(text: str, marks: bool) -> Iterator[Block]:
    """Read the comments of Rust, TypeScript, Svelte, CSS or HTML (`//` counts if `marks`)."""
    comments: list[tuple[int, str, str]] = []
    end, kind = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if end:
            body, found, _ = line.partition(end)
            comments.append((number, kind, re.sub(r"^\s*\*(?!\*)\s?", "", body)))
            end = "" if found else end
            continue
        start = COMMENT.match(line)
        if start and start[2] in ENDS:
            body, found, _ = start[3].partition(ENDS[start[2]])
            kind = f"{start[2]} {number}"
            comments.append((number, kind, body))
            end = "" if found else ENDS[start[2]]
        elif start and marks:
            comments.append((number, start[2], start[3]))
        elif marks and "//" in line and (after := trailing(line)) is not None:
            comments.append((number, f"end {number}", after))
    yield from runs(comments)


def hashed(text: str) -> Iterator[Block]:
    """Read whole lines of comment that begin with `#`, and the help after `##` in a Makefile."""
    comments = []
    for number, line in enumerate(text.split("\n"), 1):
        if (start := re.match(r"^\s*#(?!!)+\s?(.*)$", line)) is not None:
            comments.append((number, "#", start[1]))
        elif (help_text := re.search(r" ## (.*)$", line)) is not None:
            comments.append((number, f"end {number}", help_text[1]))
    yield from runs(comments)


def messages(text: str) -> Iterator[Block]:
    """Read the values of a file of messages."""
    for found in re.finditer(r'("(?:[^"\\\n]|\\.)*")(\s*:)?', text):
        if found[2]:
            continue
        number = text.count("\n", 0, found.start()) + 1
        for part in str(json.loads(found[1])).split("\n"):
            yield Block([(number, part)])


def blocks(path: Path) -> Iterator[Block]:
    """Yield the prose of a file by its kind, nothing if it has none that is ours."""
    suffix = path.suffix
    is_messages = suffix == ".json" and path.parent.name in {"messages", "words", "locales"}
    if is_messages and path.stem != "en":
        return
    shell = not suffix and path.parent.name in {"scripts", ".ci"}
    wanted = {".md", ".py", ".pyi"} | CODE | HASHED
    if not (suffix in wanted or is_messages or shell or path.name in {"Makefile", "Dockerfile"}):
        return
    text = path.read_text("utf-8")
    if suffix == ".md":
        # Other languages than English have names such as `ja.md` and `index.ja.md`.
        if not re.search(r"(^|\.)(?!en$)[a-z]{2}$", path.stem):
            yield from markdown(enumerate(text.split("\n"), 1))
    elif suffix in {".py", ".pyi"}:
        yield from python(text)
    elif suffix in CODE:
        yield from code(text, marks=suffix not in {".css", ".html"})
    elif is_messages:
        yield from messages(text)
    else:
        yield from hashed(text)


# Rules

SENTENCE = re.compile(r"(?<=[.!?])[\"')\]*_”’]*\s+(?=[\"'(\[*_“‘]*[A-Z0-9])|(?<=[。！？])")
WORD = re.compile(r"\w")
CLAUSE = re.compile(r"[\W_]*(What|Who|Whoever|Which|Whom|Whose)\b(?!.*\?)", re.DOTALL)


def prose(text: str) -> str:
    """Return text without code, addresses, tags and placeholders, of the same meaning."""
    for pattern, plain in UNPROSED:
        text = pattern.sub(plain, text)
    return text


def line_of(starts: list[tuple[int, int]], offset: int) -> int:
    """Return the source line of an offset into a block."""
    return max((number for start, number in starts if start <= offset), default=1)


def check(path: str, block: Block) -> Iterator[Finding]:
    """Find what breaks a rule in one block."""
    raw, starts = block.text()
    if not raw.strip():
        return
    text = prose(raw)
    for pattern, say in BANNED:
        for found in pattern.finditer(text):
            # The place in the source, for the prose may be shorter.
            place = next((m.start() for m in pattern.finditer(raw)), 0)
            excerpt = text[max(0, found.start() - 30) : found.end() + 30].strip()
            reason = f"“{found[0]}”: say {say}"
            yield Finding(path, line_of(starts, place), reason, excerpt)
    if not block.sentences:
        return
    for sentence in SENTENCE.split(text):
        length = sum(1 for word in sentence.split() if WORD.search(word))
        opening = " ".join(sentence.split()[:6])
        reasons = []
        if length > MAX_WORDS:
            reasons.append(f"a sentence of {length} words (at most {MAX_WORDS}): {opening} …")
        if length > 2 and (begins := CLAUSE.match(sentence)) is not None:
            reasons.append(f"a sentence that begins with “{begins[1]}”: {opening} …")
        if reasons:
            first = next((w for w in sentence.split()[:6] if len(w) > 4 and w in raw), "")
            place = raw.find(opening) if opening in raw else raw.find(first)
            for reason in reasons:
                yield Finding(path, line_of(starts, max(0, place)), reason, sentence.strip())


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files at or below these paths, without what is built or hidden."""
    for path in paths:
        if path.is_file():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            here = Path(folder)
            folders[:] = sorted(
                name
                for name in folders
                if name not in BUILT
                and (not name.startswith(".") or name in {".ci", ".devcontainer"})
                and here / name != ROOT / "python/tavola/web"
            )
            yield from (here / name for name in sorted(names))


def lint(paths: Iterable[Path]) -> tuple[list[Finding], list[str]]:
    """Return the findings in these paths, and the exceptions that no finding needed."""
    entries: list[dict[str, str]] = RULES.get("allow", [])
    needed: set[int] = set()
    findings = []
    for path in files(paths):
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        for block in blocks(path):
            for finding in check(name, block):
                for index, entry in enumerate(entries):
                    if entry["path"] == name and entry["text"] in finding.excerpt:
                        needed.add(index)
                        break
                else:
                    findings.append(finding)
    unneeded = [
        f"{entry['path']}: {entry['text']}"
        for index, entry in enumerate(entries)
        if index not in needed
    ]
    return findings, unneeded


def main(arguments: list[str]) -> int:
    """Lint the paths given, or everything, and return the exit status."""
    paths = [Path(argument).resolve() for argument in arguments] or [ROOT]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        print(f"No such file or folder: {', '.join(missing)}", file=sys.stderr)
        return 2
    findings, unneeded = lint(paths)
    for finding in findings:
        print(finding)
    stale = [] if arguments else unneeded
    for entry in stale:
        print(f"scripts/lint_language.toml: no finding needs this exception: {entry}")
    if findings or stale:
        print(f"{len(findings) + len(stale)} findings. How we write: CONTRIBUTING.md.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
