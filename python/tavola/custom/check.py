"""The conformance suite of games written in Python: every breach of the contract."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Any

from tavola import _core
from tavola.custom.description import MOST_ACTIONS, options_of
from tavola.custom.registry import MOST_COMBINATIONS, game_class, register
from tavola.errors import GameFailed, Message, TavolaError
from tavola.options_text import options_text

__all__ = ["Breach", "Report", "check"]


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach of the contract, with the first position where it was found.

    Attributes:
        rule: The part of the contract, such as `legal_actions`.
        what: What is wrong, and what is valid.
        options: The options of the game.
        position: The text of the position; empty if there is none.
    """

    rule: str
    what: str
    options: str = ""
    position: str = ""

    def __str__(self) -> str:
        message = Message("{rule}: {what}", rule=self.rule, what=self.what)
        if self.position:
            message = Message(
                "{message}\n    position: {position}", message=message, position=self.position
            )
        if self.options:
            message = Message(
                "{message}\n    options: {options}", message=message, options=self.options
            )
        return message


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check.

    Attributes:
        game: The name of the game.
        games: The number of random games.
        states: The number of states that were checked.
        breaches: The breaches, each kind once.
    """

    game: str
    games: int
    states: int
    breaches: tuple[Breach, ...]

    def __bool__(self) -> bool:
        """Return whether the rules keep the contract."""
        return not self.breaches


class _Stop(Exception):
    """A random game cannot continue after a breach."""


@dataclass
class _Suite:
    """The state of a check: what was found so far."""

    name: str
    found: dict[tuple[str, str], Breach] = field(default_factory=dict)
    states: int = 0
    options: str = ""

    def add(self, rule: str, kind: str, what: str, position: str = "") -> None:
        """Record a breach, unless one of this kind is known."""
        breach = Breach(rule, what, self.options, position)
        self.found.setdefault((rule, kind), breach)

    def read(self, rule: str, position: str, get: Callable[[], Any]) -> Any:
        """Return a value of the rules; after an exception the random game stops."""
        try:
            return get()
        except Exception as error:
            self.add(
                rule,
                type(error).__name__,
                Message("raised {error}", error=_last_line(error)),
                position,
            )
            raise _Stop from error


def check(
    rules: type | str | Path,
    *,
    games: int = 40,
    seed: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> Report:
    """Check that the rules of a game written in Python keep the contract.

    Random games are played under every combination of the options. A game without an end is the
    last one.

    Args:
        rules: The class of the game, or the path of its file.
        games: The number of random games, at least one for each combination of options.
        seed: The seed of the random games.
        progress: Called after each random game with the number of games so far.

    Returns:
        The breaches that were found, each kind once, and what was checked. A report without
        breaches is true.

    Raises:
        GameFailed: If the file cannot be loaded or the class describes no game.
    """
    rules = rules if isinstance(rules, type) else game_class(rules)
    register(rules)
    name: str = rules.name  # type: ignore[attr-defined]
    suite = _Suite(name)
    declared = options_of(rules)
    combinations = list(islice(product(*declared.values()), MOST_COMBINATIONS))
    generator = random.Random(seed)
    played = 0
    for number, values in enumerate(combinations):
        chosen = dict(zip(declared, values, strict=True))
        suite.options = options_text(chosen)
        game = rules(**{option: declared[option][text] for option, text in chosen.items()})
        share = len(range(number, games, len(combinations))) or 1
        for _ in range(share):
            with suppress(_Stop):
                _Walk(suite, game, generator, chosen).run()
            played += 1
            progress(played)
            if ("outcome", "endless") in suite.found:  # Others would take as long.
                break
        else:
            continue
        break
    return Report(name, played, suite.states, tuple(suite.found.values()))


class _Walk:
    """One random game."""

    def __init__(
        self, suite: _Suite, rules: Any, generator: random.Random, options: dict[str, str]
    ) -> None:
        self._suite = suite
        self._rules = rules
        self._random = generator
        self._core = _core.load(suite.name, **options)
        self._numbers = {token: number for number, token in enumerate(rules.actions)}
        self._most = int(getattr(rules, "most_actions", MOST_ACTIONS))
        self._seen: dict[str, tuple[object, ...]] = {}

    def run(self) -> None:
        """Play to the end and check every state."""
        suite = self._suite
        state = suite.read("start", "", self._rules.start)
        again = suite.read("start", "", self._rules.start)
        text = self._text(state)
        if self._text(again) != text:
            suite.add(
                "start",
                "differs",
                Message(
                    "two calls gave {one} and {other}",
                    one=repr(text),
                    other=repr(self._text(again)),
                ),
            )
        turn, played = 1, None
        for count in range(self._most + 1):
            suite.states += 1
            facts = self._facts(state, text)
            if facts["turn"] < turn:
                what = Message(
                    "decreased from {before} to {turn}; it never decreases",
                    before=turn,
                    turn=facts["turn"],
                )
                suite.add("turn", "decreases", what, text)
            turn = max(turn, facts["turn"])
            self._check_text(state, text, facts)
            # After the checks of the next state, so that each breach is reported once.
            if played is not None:
                self._check_view(*played)
            choices = facts["legal_actions"] or [token for token, _ in facts["chance_outcomes"]]
            if facts["outcome"] is not None or not choices:
                self._check_view(text, None)
                return
            if count == self._most:
                what = Message(
                    "a random game had no end after {count} actions; every game "
                    "must end (`most_actions` sets this limit)",
                    count=count,
                )
                suite.add("outcome", "endless", what, text)
                return
            token = self._random.choice(choices)
            played = text, token
            state = self._play(state, text, token)
            text = self._text(state)

    def _text(self, state: Any) -> str:
        text = self._suite.read("text", "", lambda: state.text)
        if not isinstance(text, str) or not text or not text.isprintable():
            self._suite.add(
                "text",
                "form",
                Message("must be one line of printable text, not {text}", text=repr(text)),
            )
            raise _Stop
        return text

    def _facts(self, state: Any, text: str) -> dict[str, Any]:
        """Return what the rules say about a state, after checks of its form."""
        read = self._suite.read
        facts: dict[str, Any] = {
            "outcome": read("outcome", text, lambda: state.outcome),
            "legal_actions": read("legal_actions", text, lambda: list(state.legal_actions)),
            "chance_outcomes": read(
                "chance_outcomes", text, lambda: list(getattr(state, "chance_outcomes", ()))
            ),
            "turn": read("turn", text, lambda: state.turn),
            "to_act": read("to_act", text, lambda: state.to_act),
        }
        for rule, problem in self._problems(facts):
            kind = "".join(letter for letter in problem if letter.isalpha())[:20]
            self._suite.add(rule, kind, problem, text)
        if not isinstance(facts["turn"], int):
            raise _Stop
        return facts

    def _problems(self, facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
        legal, chance, outcome = (
            facts["legal_actions"],
            facts["chance_outcomes"],
            facts["outcome"],
        )
        if not isinstance(facts["turn"], int) or facts["turn"] < 1:
            yield "turn", Message("must be a number from 1, not {value}", value=repr(facts["turn"]))
        if outcome is not None:
            yield from _outcome_problems(self._rules, outcome)
            if legal:
                yield (
                    "outcome",
                    Message(
                        "the game is over, but actions are legal: {tokens}", tokens=_some(legal)
                    ),
                )
            if chance:
                yield (
                    "outcome",
                    Message(
                        "the game is over, but chance has outcomes: {tokens}", tokens=_some(chance)
                    ),
                )
            return
        if chance and legal:
            yield (
                "legal_actions",
                Message("must be empty where chance acts, not {tokens}", tokens=_some(legal)),
            )
        if not chance and not legal:
            yield (
                "legal_actions",
                Message(
                    "must not be empty before the end of the game; a seat that "
                    "cannot act needs an action such as `pass`, or an outcome"
                ),
            )
        if not chance and facts["to_act"] not in range(self._rules.seats):
            last = self._rules.seats - 1
            yield (
                "to_act",
                Message(
                    "must be a seat from 0 to {last}, not {value}",
                    last=last,
                    value=repr(facts["to_act"]),
                ),
            )
        yield from self._action_problems(legal)
        yield from _chance_problems(chance, tuple(getattr(self._rules, "chance", ())))

    def _action_problems(self, legal: Sequence[Any]) -> Iterator[tuple[str, str]]:
        unknown = [token for token in legal if token not in self._numbers]
        if unknown:
            what = Message(
                "contains {token}, which is not one of the game's `actions`", token=repr(unknown[0])
            )
            yield "legal_actions", what
            return
        if len(set(legal)) < len(legal):
            twice = next(token for token in legal if legal.count(token) > 1)
            yield "legal_actions", Message("duplicate: contains {token} twice", token=repr(twice))
        for one, other in pairwise(legal):
            if self._numbers[one] > self._numbers[other]:
                what = Message(
                    "unsorted: {one} is before {other}, but behind it in `actions`",
                    one=repr(one),
                    other=repr(other),
                )
                yield "legal_actions", what
                return

    def _check_text(self, state: Any, text: str, facts: dict[str, Any]) -> None:
        """Check that the text reads back to the same state."""
        suite = self._suite
        plain = tuple(_plain(value) for value in facts.values())
        if self._seen.setdefault(text, plain) != plain:
            suite.add("text", "lacks", Message("two different states have the same text"), text)
        parsed = suite.read("parse", text, lambda: self._rules.parse(text))
        again = self._text(parsed)
        if again != text:
            suite.add(
                "parse",
                "text",
                Message("the parsed state has another text: {text}", text=repr(again)),
                text,
            )
            return
        for name, value in self._facts(parsed, text).items():
            if _plain(value) != _plain(facts[name]):
                what = Message(
                    "the parsed state has another `{name}`: {parsed}, not {value}",
                    name=name,
                    parsed=repr(value),
                    value=repr(facts[name]),
                )
                suite.add("parse", name, what, text)
        if state is parsed:
            return
        if "__eq__" in vars(type(state)) and state != parsed:
            suite.add(
                "text", "equality", Message("the parsed state is not equal to the state"), text
            )

    def _play(self, state: Any, text: str, token: str) -> Any:
        """Play an action; check that the state does not change and the result is always equal."""
        suite = self._suite
        played = suite.read("play", text, lambda: state.play(token))
        if played is None:
            suite.add(
                "play",
                "none",
                Message("`play({token})` must return a state, not None", token=repr(token)),
                text,
            )
            raise _Stop
        after = self._text(state)
        if after != text or played is state:
            what = Message(
                "`play({token})` changed the state itself to {after}; return a new state",
                token=repr(token),
                after=repr(after),
            )
            suite.add("play", "mutates", what, text)
            raise _Stop
        again = suite.read("play", text, lambda: state.play(token))
        one, other = self._text(played), self._text(again)
        if one != other:
            what = Message(
                "`play({token})` gave {one} and then {other}; chance is explicit",
                token=repr(token),
                one=repr(one),
                other=repr(other),
            )
            suite.add("play", "differs", what, text)
            raise _Stop
        return played

    def _check_view(self, text: str, token: str | None) -> None:
        """Check that the core accepts, draws and plays the state."""
        try:
            state = self._core.parse(text)
            state.view_json(0)
            if token is not None:
                state.events_json(token)
        except TavolaError as error:
            # The checks of the state may have found the reason.
            if not self._suite.found:
                what = error.what if isinstance(error, GameFailed) else str(error)
                self._suite.add("view", type(error).__name__, what, text)


def _outcome_problems(rules: Any, outcome: Any) -> Iterator[tuple[str, str]]:
    try:
        winners, reason = outcome
        winners = list(winners)
    except (TypeError, ValueError):
        yield (
            "outcome",
            Message(
                "must be None, or the winning seats and a reason, as `((0,), 'line')`; not {value}",
                value=repr(outcome),
            ),
        )
        return
    if len(set(winners)) < len(winners) or not set(winners) <= set(range(rules.seats)):
        yield (
            "outcome",
            Message("the winners must be different seats, not {winners}", winners=repr(winners)),
        )
    if not winners and not getattr(rules, "has_draws", True):
        yield "has_draws", Message("a game ended in a draw; do not declare `has_draws = False`")
    if not isinstance(reason, str) or not reason or " " in reason:
        yield "outcome", Message("the reason must be one word, not {reason}", reason=repr(reason))


def _chance_problems(chance: Sequence[Any], known: Sequence[str]) -> Iterator[tuple[str, str]]:
    tokens = []
    for pair in chance:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            yield (
                "chance_outcomes",
                Message("must be pairs of a token and a weight, not {value}", value=repr(pair)),
            )
            return
        token, weight = pair
        tokens.append(token)
        if token not in known:
            what = Message(
                "contains {token}, which is not one of the game's `chance` tokens",
                token=repr(token),
            )
            yield "chance_outcomes", what
        if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
            yield (
                "chance_outcomes",
                Message(
                    "the weight of {token} must be a positive integer, not {value}",
                    token=repr(token),
                    value=repr(weight),
                ),
            )
    if len(set(tokens)) < len(tokens):
        twice = next(token for token in tokens if tokens.count(token) > 1)
        yield "chance_outcomes", Message("duplicate: contains {token} twice", token=repr(twice))


def _plain(value: Any) -> object:
    """Return a value with lists as tuples, for comparison."""
    return tuple(_plain(one) for one in value) if isinstance(value, list | tuple) else value


def _some(values: Sequence[Any]) -> str:
    """Return the first values for a message."""
    shown = ", ".join(str(value) for value in values[:5])
    more = len(values) - 5
    return Message("{tokens} and {count} more", tokens=shown, count=more) if more > 0 else shown


def _last_line(error: Exception) -> str:
    """Return an exception with the line of the rules that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
