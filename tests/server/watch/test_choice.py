"""The best matches first, and a channel that stays with its match until the end."""

from __future__ import annotations

from tavola.server.watch.choice import BOARDS, Candidate, best, channel


def game(match: str, strength: float = 1500.0, at: str = "1", **more: bool | str) -> Candidate:
    settings: dict[str, bool | str] = {"game": "g", **more}
    return Candidate(match=match, strength=strength, at=at, **settings)  # type: ignore[arg-type]


def test_the_strongest_is_first_and_of_equals_the_liveliest() -> None:
    listed = [game("a"), game("b", 1800), game("c", at="2"), game("d", 2000, over=True)]
    assert [one.match for one in best(listed)] == ["b", "c", "a"]


def test_shown_boards_stay_before_equals_until_they_are_idle() -> None:
    listed = [game("a", at="3"), game("b", at="5"), game("c", at="4"), game("d", 1800, at="1")]
    shown = ["c", "a"]
    assert [one.match for one in best(listed, 3, shown=shown, since="3")] == ["d", "c", "a"]
    assert [one.match for one in best(listed, 3, shown=shown, since="4")] == ["d", "c", "b"]


def test_the_page_is_bounded() -> None:
    assert len(best([game(str(number)) for number in range(1000)])) == BOARDS


def test_a_channel_stays_with_its_match_to_the_end_and_goes_on() -> None:
    listed = [game("a"), game("b", 1800)]
    assert channel(listed, "g", None) == "b"
    assert channel(listed, "g", "a") == "a"
    assert channel([game("a", over=True), game("b", 1800)], "g", "a") == "a"
    assert channel([game("b", 1800)], "g", "a") == "b"
    assert channel(listed, "other", None) is None
    assert channel([game("a", over=True)], "g", None) is None
