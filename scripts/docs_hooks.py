"""MkDocs hooks: pages made from other folders and from the command line's own help.

Each game's rule book and clauses, the benchmarks, and the reference of the command line have one
source outside `docs/`. These hooks turn them into pages when the site is built, and let pages link
to files of the repository.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import tavola
from tavola.server.snapshots.rules_page import Figure

ROOT = Path(__file__).resolve().parent.parent
FIGURE = re.compile(r"^```figure\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"(?m)^(?!#)(.*?) *\{#([a-z][a-z0-9-]*)\}$")
CLAUSE = re.compile(r"(?m)^((\d+)\. )")
PART = re.compile(r"(?m)^(\d+[a-z])\. ")
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./|[a-z])[^)\s#:]*)(#[^)\s]*)?\)")


def _page(game: str, name: str) -> str:
    """Return the page of a file of a game's rules: its clauses, or the rule book in a language."""
    if name == "clauses":
        return f"reference/clauses/{game}.md"
    return f"rules/{game}.md" if name == "en" else f"rules/{game}.{name}.md"


SOURCES = {
    f"games/{game}/rules/{file.name}": _page(game, file.stem)
    for game in tavola.games()
    for file in sorted((ROOT / "games" / game / "rules").glob("*.md"))
} | {"benches/README.md": "reference/benchmarks.md"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages whose source is elsewhere in the repository."""
    for source, page in SOURCES.items():
        text = (ROOT / source).read_text("utf-8")
        if page.startswith("rules/"):
            text = _rule_book(source.split("/")[1], page, text, files, config)
        elif page.startswith("reference/clauses/"):
            text = CLAUSE.sub(r'\1<a id="clause-\2"></a>', text)
            text = PART.sub(r'\n**\1.** <a id="clause-\1"></a>', text)
        files.append(File.generated(config, page, content=_linked(text, source, page)))
    files.append(File.generated(config, "reference/command-line.md", content=_command_line()))
    icon = (ROOT / "web/public/icon.svg").read_bytes()
    files.append(File.generated(config, "assets/icon.svg", content=icon))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let a page's links to files of the repository lead to their pages, if they have one."""
    if page.file.generated_by is None or page.file.abs_src_path:
        return _linked(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)
    return markdown


def _linked(text: str, source: str, page: str) -> str:
    """Return text with its relative links rewritten for the site.

    Args:
        text: Markdown.
        source: The file that its links are relative to, from the repository's root.
        page: The page that it becomes, from the root of the site.
    """

    def link(found: re.Match[str]) -> str:
        label, path, fragment = found[1], found[2], found[3] or ""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if target in SOURCES:
            here = SOURCES[target]
        elif target.startswith("docs/") and not target.startswith("docs/examples/tictactoe"):
            here = target.removeprefix("docs/")
        elif (ROOT / target).exists():
            # A file of the repository that is no page: its name is all that the site can show.
            return label if label.startswith("`") else f"{label} (`{target}`)"
        else:
            return found[0]
        return f"[{label}]({posixpath.relpath(here, posixpath.dirname(page) or '.')}{fragment})"

    return LINK.sub(link, text)


def _rule_book(game: str, page: str, text: str, files: Files, config: MkDocsConfig) -> str:
    """Return a rule book as a page, and add its figures to the site's files."""
    language = page.split(".")[1].replace("md", "en")

    def figure(found: re.Match[str]) -> str:
        drawn = Figure.parse(game, found[1])
        number = sum(1 for file in files if file.src_uri.startswith(f"rules/{game}-{language}-"))
        name = f"{game}-{language}-{number + 1}.svg"
        svg = drawn.state.svg(
            rings=list(drawn.rings),
            arrows=list(drawn.arrows),
            title=drawn.caption.replace("*", ""),
        )
        files.append(File.generated(config, f"rules/{name}", content=svg))
        up = "../" if config.use_directory_urls else ""
        return (
            f'<figure markdown="span">\n<img src="{up}{name}" alt="" loading="lazy" />\n'
            f"<figcaption markdown>{drawn.caption}</figcaption>\n</figure>"
        )

    text = FIGURE.sub(figure, text)
    return ANCHOR.sub(r'<a id="\2"></a>\1', text)


def _command_line() -> str:
    """Return the reference of the command line: what each command's `--help` prints."""
    text = _help()
    commands = re.findall(
        r"(?m)^  ([a-z]+)  ", text.partition("Commands")[2].partition("Options")[0]
    )
    parts = ["# Command line", "`tavola COMMAND --help` prints these pages.", _block(text)]
    for command in commands:
        parts += [f"## tavola {command}", _block(_help(command))]
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    """Return text as a block of code."""
    return f"```text\n{text.strip()}\n```"


def _help(*command: str) -> str:
    """Return the help of a command, in English and of a fixed width."""
    return subprocess.run(
        [sys.executable, "-m", "tavola", *command, "--help"],
        env={**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
