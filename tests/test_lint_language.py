"""The lint of the language: what it reads in each kind of file, and what it reports."""

from pathlib import Path

import pytest

from scripts import lint_language

LONG = " ".join(["word"] * 31)
BANNED = "every" + "body"
KINDS = {"length": "a sentence of", "opening": "a sentence that begins", "word": "say"}


def reasons(tmp_path: Path, name: str, text: str) -> list[tuple[int, str]]:
    """The line and the first words of the reason of each finding."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    findings, _ = lint_language.lint([path])
    return [
        (found.line, next(kind for kind, reason in KINDS.items() if reason in found.reason))
        for found in findings
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", f"One.\n\nHello {BANNED}.\n", [(3, "word")]),
        ("a.md", f"Short one. {LONG.capitalize()}.\n", [(1, "length")]),
        ("a.md", "One. What it does is this.\n", [(1, "opening")]),
        ("a.md", "What does it do?\n\n| What | Who |\n|---|---|\n", []),
        ("a.md", f"```\n{LONG} {BANNED}\n```\n", []),
        ("a.md", f"```text\n{{a}}  // For {BANNED}\n```\n", [(2, "word")]),
        ("a.md", f"```figure\ncaption: For {BANNED}.\n```\n", [(2, "word")]),
        ("a.md", f"Run `{BANNED} {LONG}`, [here](https://{BANNED}.org).\n", []),
        ("a.md", "".join(f"- {'word ' * 20}\n" for _ in range(3)), []),
        ("a.md", f"| {'word ' * 20} | {'word ' * 20} |\n|---|---|\n", []),
        ("a.ja.md", f"{BANNED}\n", []),
        ("words/en.json", f'{{\n"{BANNED}": "Hello",\n"b": "{BANNED}"\n}}', [(3, "word")]),
        ("words/ja.json", f'{{"b": "{BANNED}"}}', []),
        ("levels.json", f'{{"b": "{BANNED}"}}', []),
        ("a.py", f'"""Help {BANNED}."""\n\nx = 1  # {BANNED}\n', [(3, "word"), (1, "word")]),
        ("a.py", f'def f():\n    """One.\n\n    {LONG}\n    """\n', [(4, "length")]),
        ("a.py", f'"""One.\n\nArgs:\n    {BANNED}: A name.\n"""\n', []),
        ("a.py", f'"""One.\n\n>>> f("{LONG}")\n"""\n', []),
        ("a.py", f'x = "tell {BANNED}"\ny = "{LONG}"\n', [(1, "word")]),
        ("a.rs", f"//! One\n//! {BANNED}\nfn f() {{}} // {BANNED}\n", [(2, "word"), (3, "word")]),
        ("a.rs", f'let a = "// {BANNED}";\nlet b = "https://{BANNED}";\n', []),
        ("a.ts", f"/**\n * One\n * {BANNED}\n */\nconst x = 1\n", [(3, "word")]),
        ("a.svelte", f"<!-- {BANNED} -->\n<p>{BANNED}</p>\n", [(1, "word")]),
        ("a.css", f"/* {BANNED} */\n", [(1, "word")]),
        ("Makefile", f"a: ## For {BANNED}\n\techo {BANNED}\n", [(1, "word")]),
    ],
)
def test_prose_is_read_and_code_is_not(
    tmp_path: Path, name: str, text: str, expected: list[tuple[int, str]]
) -> None:
    assert reasons(tmp_path, name, text) == expected


def test_two_words_are_found_across_a_line_break(tmp_path: Path) -> None:
    assert reasons(tmp_path, "a.md", "The player is\ntold this.\n") == [(1, "word")]


def test_the_exit_status_and_the_output_say_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text("Good.\n", "utf-8")
    assert lint_language.main([str(path)]) == 0
    path.write_text(f"Hello {BANNED}.\n", "utf-8")
    assert lint_language.main([str(path)]) == 1
    assert f"{path}:1: “{BANNED}”" in capsys.readouterr().out
    assert lint_language.main([str(tmp_path / "missing")]) == 2


def test_every_exception_has_a_reason() -> None:
    entries = lint_language.RULES.get("allow", [])
    assert all({"path", "text", "reason"} == set(entry) and entry["reason"] for entry in entries)
