"""The phrases of comments in every language; `{name}` stands for a parameter."""

from __future__ import annotations

from typing import Literal

__all__ = ["Language", "phrase"]

Language = Literal["en", "ja"]

_PHRASES: dict[str, tuple[str, str]] = {
    "mistake": ("mistake, cost {cost}; best was {best}", "疑問手（{cost} の損）、最善手は {best}"),
    "blunder": ("blunder, cost {cost}; best was {best}", "悪手（{cost} の損）、最善手は {best}"),
    "luck": ("luck {luck}", "運 {luck}"),
    "win": ("forced: {winner} wins", "{winner}の勝ちが確定"),
    "win-in": (
        "forced: {winner} wins in at most {actions} actions",
        "{winner}の勝ちが確定（あと最大{actions}アクション）",
    ),
    "win-in-turns": (
        "forced: {winner} wins in at most {actions} actions, {turns} turns",
        "{winner}の勝ちが確定（あと最大{actions}アクション、{turns}手番）",
    ),
    "draw": ("forced draw", "引き分けが確定"),
    "shared": ("forced: {winners} share the win", "{winners}が勝ちを分け合うことが確定"),
}


def phrase(key: str, language: Language, **params: object) -> str:
    """Return the phrase of a key with its parameters filled in."""
    return _PHRASES[key][language == "ja"].format(**params)
