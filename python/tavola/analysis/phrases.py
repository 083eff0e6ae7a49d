"""What a study's comments say, in every language; `{name}` stands for a parameter."""

from __future__ import annotations

from typing import Literal

__all__ = ["Language", "phrase"]

Language = Literal["en", "ja"]

_WORDS: dict[str, tuple[str, str]] = {
    "mistake": ("mistake, cost {cost}; best was {best}", "疑問手({cost} の損)、最善手は {best}"),
    "blunder": ("blunder, cost {cost}; best was {best}", "悪手({cost} の損)、最善手は {best}"),
    "luck": ("luck {luck}", "運 {luck}"),
    "win": ("certain: {winner} wins", "{winner}の勝ちが確定"),
    "win-in": (
        "certain: {winner} wins (actions to go: at most {actions})",
        "{winner}の勝ちが確定(あと最大 {actions} アクション)",
    ),
    "win-in-turns": (
        "certain: {winner} wins (actions to go: at most {actions}; turns: {turns})",
        "{winner}の勝ちが確定(あと最大 {actions} アクション、{turns} 手番)",
    ),
    "draw": ("certain: a draw", "引き分けが確定"),
    "shared": ("certain: {winners} share the win", "{winners}が勝ちを分け合うことが確定"),
}


def phrase(key: str, language: Language, **params: object) -> str:
    """The words of a key."""
    return _WORDS[key][language == "ja"].format(**params)
