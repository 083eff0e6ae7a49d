"""The compiled core. The package `tavola` exports its public names.

Names with an underscore and methods that return JSON serve the package's own server and
boards. The types of the JSON are those of `crates/core/src/view.rs`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, Self, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavola.picture import Picture
from tavola.targets import Targets

__all__ = [
    "CHANCE",
    "MAX_C_PUCT",
    "MAX_THREADS",
    "Actions",
    "Analysis",
    "Game",
    "LazyEvents",
    "LazyView",
    "LeafBatch",
    "LegalActions",
    "Line",
    "MatchCore",
    "Network",
    "ObservationSpace",
    "Outcome",
    "Plane",
    "Playouts",
    "Proof",
    "Searcher",
    "State",
    "Stop",
    "Symmetry",
    "VectorCore",
    "_EngineSpec",
    "_Trees",
    "_archive",
    "_check_result",
    "_counters",
    "_engine_kinds",
    "_evaluate",
    "_fit",
    "_game",
    "_hint",
    "_judge",
    "_lesson_attempt",
    "_lesson_start",
    "_levels",
    "_looks",
    "_loss",
    "_processors",
    "_prove_until",
    "_puzzles",
    "_record_columns",
    "_record_game",
    "_record_returns",
    "_record_to_text",
    "_records_from_text",
    "_register_game",
    "_registrations",
    "_replay_keys",
    "_restore_analysis",
    "_restore_game",
    "_restore_line",
    "_restore_state",
    "_restore_symmetry",
    "_shown_turns",
    "_summarize",
    "_unregister_game",
    "_whole",
    "_why_not",
    "describe",
    "games",
    "load",
    "perft",
    "playouts",
    "prove",
    "say",
    "search",
    "search_batch",
]

CHANCE: Final[int]
"""The value of `State.to_act` where chance acts: -1."""

_Flags = TypeVar("_Flags", NDArray[np.bool_], NDArray[np.uint8], NDArray[np.int8])

_Numbers = TypeVar("_Numbers", NDArray[np.float32], NDArray[np.uint8])
_Layout: TypeAlias = Literal["planes", "flat"]

MAX_THREADS: Final[int]
"""The maximum number of threads of a search."""

MAX_C_PUCT: Final[float]
"""The maximum exploration constant of a search with a network."""

def games() -> tuple[str, ...]:
    """Return the names of all games, sorted; also of registered Python games.

    >>> "potlatch" in games()
    True
    """

def _processors() -> int:
    """Return the number of processors that this process may use (affinity, cgroup quota)."""

def _register_game(
    description_json: str, create: Callable[[dict[str, str]], tuple[object, str]]
) -> None:
    """Register a game whose rules are a Python class.

    Args:
        description_json: The metadata, as of `tavola.custom.description`.
        create: A function from options to the game's object and the JSON of its board.

    Raises:
        GameFailed: If a compiled game has the name.
        ValueError: If the JSON is not a description.
    """

def _unregister_game(name: str) -> bool:
    """Remove a registered Python game from the list. Its games and states stay valid.

    Args:
        name: The name of the game.

    Returns:
        Whether there was such a game.
    """

def _registrations() -> int:
    """Return the number of changes of the list of Python games.

    A cache of descriptions uses it as a part of its key.
    """

def load(name: str, /, **options: str | int) -> Game:
    """Load a game. Missing options have their defaults.

    Args:
        name: The name of the game, or the path of a Python file with a game (`mygame.py`).
        **options: Values by option, numbers or words. `rules_version` selects an older
            version of the rules that the game still supports.

    Raises:
        UnknownGame: If there is no such game.
        OptionError: If the game has no such option or value; lists every valid one.
        GameFailed: If a Python file contains no game, or its rules fail.

    >>> load("potlatch", actions=3)
    tavola.load("potlatch", actions=3, layout='triangle')
    """

@final
class Game:
    """A game with its options: immutable, hashable, comparable, picklable.

    >>> game = load("potlatch", actions=3)
    >>> game.name, game.seats, game.options["actions"]
    ('potlatch', 2, 3)
    """

    @property
    def name(self) -> str:
        """The name, as in `load`."""
    @property
    def options(self) -> dict[str, str | int]:
        """The values of all options."""
    @property
    def seats(self) -> int:
        """The number of players."""
    @property
    def rules_version(self) -> int:
        """The version of the rules.

        It increases when the same actions can lead to another result. An old match may use an
        older version.
        """
    @property
    def has_chance(self) -> bool:
        """Whether the game has chance outcomes, such as a shuffle or a roll."""
    @property
    def action_count(self) -> int:
        """The number of distinct actions of seats.

        The actions are numbered from 0 to this number minus 1.
        """
    @property
    def actions(self) -> Actions:
        """The actions by id: a lazy sequence of tokens, the same in every state.

        >>> actions = load("potlatch").actions
        >>> actions[3], actions.index("Pne")
        ('Cse', 7)
        """
    @property
    def chance_tokens(self) -> tuple[str, ...]:
        """The tokens of all chance outcomes of the game; empty without chance.

        Every state lists its own outcomes with their weights in `chance_outcomes`.

        >>> load("potlatch").chance_tokens
        ()
        """
    @property
    def observation_space(self) -> ObservationSpace:
        """The shape of observations, and the meaning of every plane.

        Raises:
            ValueError: If the game has no observations.
        """

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the game under its options, the identity first.

        >>> len(load("potlatch").symmetries)
        12
        """

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the game's evaluation by feature; empty without an evaluation.

        >>> load("potlatch").weights["stacks_3"] > 0
        True
        """
    @property
    def network(self) -> Network | None:
        """The neural network of the game for its options; None without one.

        The last level (`tavola.levels`) plays with it, and hints and analyses search with it.

        >>> load("potlatch").network is None, load("potlatch", layout="row").network is None
        (False, True)
        """
    def _solved_by(self, file: Path) -> Game:
        """Return this game with the solution of a file, by which it knows perfect play.

        Raises:
            SolutionError: If the file cannot be read, is not of this game with its options, or is
                damaged, or if no method solves the game.
        """
    def _perfect_actions(self, state: State, stop: Stop | None = None) -> list[str]:
        """Return the legal actions with the best result by the solution.

        Args:
            state: A position of this game in which a seat acts.
            stop: Ends the work early; then all legal actions are returned.
        """
    def _solved_actions(self, state: State) -> tuple[list[float], list[int]] | None:
        """Return the result of perfect play and the best actions, if a solution tells them at once.

        Args:
            state: A position of this game.

        Returns:
            The share of each seat and the ids of the actions, or None.
        """
    def _solve(
        self, file: Path, threads: int, memory: int | None, tell: Callable[[str], None]
    ) -> None:
        """Solve the game, and write the solution to a file.

        Args:
            file: The file.
            threads: The number of threads.
            memory: The memory of the machine in bytes; None if it is unknown.
            tell: Gets each completed step as a message.

        Raises:
            SolutionError: If no method solves the game, memory is missing, or a file cannot be
                written.
        """
    def start(self) -> State:
        """Return the first position."""
    def parse(self, text: str) -> State:
        """Parse a position text, in the format of the game's rule book.

        Args:
            text: A position text, as of `State.text`.

        Raises:
            PositionError: With every error in the text.

        >>> game = load("potlatch")
        >>> game.parse(game.start().text) == game.start()
        True
        """
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class LazyView:
    """A view of a position, computed and serialized on demand."""

    def without_actions(self) -> LazyView:
        """Return the same view for a viewer who is not to act: without actions."""
    def json(self) -> bytes:
        """Return the whole `View` as JSON."""
    def prepare(self, before: LazyView) -> None:
        """Compute `patch` on the background thread of the core.

        Args:
            before: The view that the client has.
        """
    def patch(self, before: LazyView) -> bytes | None:
        """Return the patch from an earlier view.

        Args:
            before: The view that the client has.

        Returns:
            A patch as JSON (docs/reference/server-api.md); None if the views are equal.
        """
    def label_json(self, token: str) -> bytes | None:
        """Return the label of a legal action as JSON; None for any other token.

        Args:
            token: The token of the action.
        """
    def outcome_json(self) -> bytes | None:
        """Return the outcome as JSON; None before the end of the game."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class LazyEvents:
    """The events of an action, computed and serialized on demand.

    Its methods raise `IllegalAction` if the action is not legal.
    """

    def prepare(self) -> None:
        """Compute the events on the background thread of the core."""
    def events_json(self) -> bytes:
        """Return all events: a list of `Event` as JSON."""
    def text_json(self) -> bytes | None:
        """Return the first text of the events as JSON; None if they have none."""
    def move_json(self) -> bytes | None:
        """Return the `MoveLabel` of the action as JSON; None for the label of its view."""

@final
class State:
    """A position: immutable, hashable, comparable, picklable. A notebook shows its picture.

    Two states are equal if their games are equal and the rules cannot distinguish them.

    >>> state = load("potlatch").start()
    >>> state.to_act, len(state.legal_actions)
    (0, 5)
    """

    @property
    def game(self) -> Game:
        """The game of this position."""
    @property
    def to_act(self) -> int | None:
        """The seat to act, `CHANCE`, or None after the end of the game."""
    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the seat to act, in the order of their numbers.

        Empty for chance and after the end of the game.
        """
    @property
    def legal_ids(self) -> NDArray[np.int32]:
        """The ids of the legal actions, ascending: a NumPy array of int32 with shape (n,).

        Empty for chance and after the end of the game. `Game.actions` has the tokens.

        >>> load("potlatch").start().legal_ids
        array([ 7,  8,  9, 10, 11], dtype=int32)
        """

    @overload
    def mask(self, out: None = None) -> NDArray[np.bool_]:
        """Return which actions are legal, one flag for each id.

        Args:
            out: An array to fill in place of a new one: bool, uint8 or int8, of the same
                shape, C-contiguous.

        Returns:
            `out`, or a new NumPy array of bool with shape (action_count,). No flag is set for
            chance and after the end of the game.

        Raises:
            TypeError: If `out` is not a NumPy array.
            ValueError: If `out` has another shape or data type.

        >>> load("potlatch").start().mask().sum()
        np.int64(5)
        """
    @overload
    def mask(self, out: _Flags) -> _Flags:
        """Return which actions are legal, one flag for each id.

        Args:
            out: An array to fill in place of a new one: bool, uint8 or int8, of the same
                shape, C-contiguous.

        Returns:
            `out`, or a new NumPy array of bool with shape (action_count,). No flag is set for
            chance and after the end of the game.

        Raises:
            TypeError: If `out` is not a NumPy array.
            ValueError: If `out` has another shape or data type.

        >>> load("potlatch").start().mask().sum()
        np.int64(5)
        """

    @overload
    def observation(
        self,
        seat: int | None = None,
        layout: _Layout = "planes",
        dtype: type[np.float32] | np.dtype[np.float32] | Literal["float32"] | None = None,
        out: None = None,
    ) -> NDArray[np.float32]:
        """Return the position as numbers, as a seat sees it.

        `Game.observation_space` describes them.

        Args:
            seat: A seat; None for the seat to act, or seat 0 if none acts.
            layout: "planes" for an array of planes, rows and columns; "flat" for one dimension.
            dtype: `numpy.float32` for values from 0 to 1, `numpy.uint8` for whole numbers from
                0 to the plane's `high`. None for that of `out`, or else float32.
            out: An array to fill in place of a new one.

        Returns:
            `out`, or a new NumPy array with `Game.observation_space.shape(layout)`.

        Raises:
            ValueError: If there is no such seat or layout, or `out` has another shape or data
                type.
            TypeError: If `dtype` is another type, or `out` is not a NumPy array.

        >>> load("potlatch").start().observation().shape
        (18, 10, 10)
        """
    @overload
    def observation(
        self,
        seat: int | None = None,
        layout: _Layout = "planes",
        *,
        dtype: type[np.uint8] | np.dtype[np.uint8] | Literal["uint8"],
        out: None = None,
    ) -> NDArray[np.uint8]:
        """Return the position as numbers, as a seat sees it.

        `Game.observation_space` describes them.

        Args:
            seat: A seat; None for the seat to act, or seat 0 if none acts.
            layout: "planes" for an array of planes, rows and columns; "flat" for one dimension.
            dtype: `numpy.float32` for values from 0 to 1, `numpy.uint8` for whole numbers from
                0 to the plane's `high`. None for that of `out`, or else float32.
            out: An array to fill in place of a new one.

        Returns:
            `out`, or a new NumPy array with `Game.observation_space.shape(layout)`.

        Raises:
            ValueError: If there is no such seat or layout, or `out` has another shape or data
                type.
            TypeError: If `dtype` is another type, or `out` is not a NumPy array.

        >>> load("potlatch").start().observation().shape
        (18, 10, 10)
        """
    @overload
    def observation(
        self,
        seat: int | None = None,
        layout: _Layout = "planes",
        dtype: None = None,
        *,
        out: _Numbers,
    ) -> _Numbers:
        """Return the position as numbers, as a seat sees it.

        `Game.observation_space` describes them.

        Args:
            seat: A seat; None for the seat to act, or seat 0 if none acts.
            layout: "planes" for an array of planes, rows and columns; "flat" for one dimension.
            dtype: `numpy.float32` for values from 0 to 1, `numpy.uint8` for whole numbers from
                0 to the plane's `high`. None for that of `out`, or else float32.
            out: An array to fill in place of a new one.

        Returns:
            `out`, or a new NumPy array with `Game.observation_space.shape(layout)`.

        Raises:
            ValueError: If there is no such seat or layout, or `out` has another shape or data
                type.
            TypeError: If `dtype` is another type, or `out` is not a NumPy array.

        >>> load("potlatch").start().observation().shape
        (18, 10, 10)
        """

    def play_id(self, action_id: int | np.integer[Any]) -> State:
        """Play the action with an id.

        Args:
            action_id: The id of a legal action, as in `legal_ids`.

        Returns:
            The position after it. This state does not change.

        Raises:
            IllegalAction: With the token, the reason and the position.
            IndexError: If no action has this id.

        >>> game = load("potlatch")
        >>> game.start().play_id(7) == game.start().play(game.actions[7])
        True
        """

    def sample_chance(self, rng: np.random.Generator | Random) -> str:
        """Draw an outcome of chance, in exact proportion to the weights.

        Args:
            rng: The random generator, a `numpy.random.Generator` or a `random.Random`.

        Returns:
            The token of the outcome, for `play`.

        Raises:
            ValueError: If chance does not act.
            TypeError: If `rng` is not a random generator.

        >>> import random
        >>> load("potlatch").start().sample_chance(random.Random(7))
        Traceback (most recent call last):
        ...
        ValueError: chance does not act here; ...
        """

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over.

        >>> load("potlatch").start().is_terminal
        False
        """

    @property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """The outcomes of chance as tokens with exact integer weights; empty unless chance acts."""
    def play(self, token: str) -> State:
        """Play an action or chance outcome.

        Args:
            token: The token of a legal action or chance outcome.

        Returns:
            The position after it. This state does not change.

        Raises:
            IllegalAction: With the token, the reason and the position.

        >>> load("potlatch").start().play("Pe")
        Traceback (most recent call last):
        ...
        tavola.errors.IllegalAction: 'Pe' is illegal: ...
        """
    def play_all(self, tokens: str) -> State:
        """Play several actions or chance outcomes.

        Args:
            tokens: Tokens separated by white space.

        Returns:
            The position after the last one.

        Raises:
            IllegalAction: For the first illegal action.

        >>> load("potlatch").start().play_all("Pnw Pw").turn
        2
        """
    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None before the end of the game."""
    @property
    def returns(self) -> tuple[float, ...] | None:
        """One number per seat, from -1 to 1 with sum 0; None before the end of the game."""
    @property
    def turn(self) -> int:
        """The number of the current turn, 1 for the first.

        >>> load("potlatch").start().turn
        1
        """
    @property
    def text(self) -> str:
        """The position text, in the format of the game's rule book. `Game.parse` reads it."""
    @property
    def key(self) -> int:
        """A 64-bit hash. Equal states of one game have equal keys, on every machine."""
    @property
    def features(self) -> dict[str, tuple[float, ...]]:
        """The features of the game's evaluation: for each name one number per seat.

        It is empty after the end of the game, or without an evaluation.

        >>> load("potlatch").start().features["to_act"]
        (1.0, 0.0)
        """
    @property
    def estimate(self) -> tuple[float, ...]:
        """The expected share of the game of each seat, by the evaluation alone.

        The shares are from 0 to 1 and their sum is 1. They are the softmax of the weighted
        features, and equal for a game without an evaluation. After the end of the game they
        are the result of each seat.
        """
    @property
    def prompt(self) -> str:
        """The question to the seat to act, or the result of the game, in English."""
    def svg(
        self,
        *,
        colours: str = "light",
        rings: Sequence[str] | None = None,
        arrows: Sequence[tuple[str, str]] | None = None,
        title: str | None = None,
        language: str | None = None,
    ) -> str:
        """Draw the position as an SVG picture.

        Args:
            colours: "light" or "dark"; "page" for the variables of the page.
            rings: Cells to mark with a ring.
            arrows: Pairs of cells to join with an arrow.
            title: A description of the picture; the position text by default.
            language: The language of the names on the board; None leaves them out.

        Raises:
            ValueError: For another value of `colours`, or an unknown language.
        """
    def picture(
        self,
        seat: int | None = None,
        *,
        language: str = "en",
        width: int = 720,
        rings: Sequence[str] | None = None,
        arrows: Sequence[tuple[str, str]] | None = None,
        played: Sequence[tuple[State, str]] | None = None,
    ) -> Picture:
        """Draw the position with its turn, scores and cards.

        Args:
            seat: The seat that sees it; None for a spectator.
            language: Its code, such as "en".
            width: The width in pixels.
            rings: Cells to mark with a ring.
            arrows: Pairs of cells to join with an arrow.
            played: States before the last actions, each with the token. The picture marks what
                they did.

        Returns:
            A `Picture`. It shows itself in a notebook, and `save` writes SVG or PNG.

        Raises:
            ValueError: If there is no such seat or language, or the width is out of range.
            IllegalAction: If an action of `played` is not legal in its state.

        >>> load("potlatch").start().picture(seat=0)
        <Picture of potlatch, turn 1>
        """
    def picture_svg(
        self,
        viewer: int | None,
        *,
        language: str = "en",
        colours: str = "light",
        width: int = 720,
        rings: Sequence[str] | None = None,
        arrows: Sequence[tuple[str, str]] | None = None,
        played: Sequence[tuple[State, str]] | None = None,
    ) -> str:
        """Draw the picture of `picture` as SVG.

        The parameters are those of `picture`. `colours` is "light" or "dark"; "both" for light and
        dark pages; "page" for the variables of the page.

        Raises:
            ValueError: For another value.
            IllegalAction: If one of the actions is not legal in its state.
        """
    def view_json(self, viewer: int | None = None) -> str:
        """Return the `View` of a seat, or of a spectator if None, as JSON."""
    def lazy_view(self, viewer: int | None = None) -> LazyView:
        """Return the same view as `view_json`, computed and serialized on demand."""
    @property
    def is_public(self) -> bool:
        """Whether every seat and spectator sees the same position."""
    def events_json(self, token: str) -> str:
        """Return the events of a legal action, a list of `Event` as JSON.

        Raises:
            IllegalAction: If the action is not legal.
        """
    def lazy_events(self, token: str) -> LazyEvents:
        """Return the same events as `events_json`, computed and serialized on demand."""
    def touch_refusal_json(self, touched: Sequence[str], turn: int | None = None) -> str | None:
        """Return why no legal action begins with these cells and this rotation, as JSON.

        It is a `Refusal`, or None if an action begins so.
        """
    def prospect_json(self, token: str) -> str:
        """Return the `Prospect` of a legal action, its consequences, as JSON.

        Raises:
            IllegalAction: If the action is not legal.
        """
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Actions(Sequence[str]):
    """The actions of a game by id: a lazy sequence of tokens, the same in every state.

    An id is a number from 0 to `Game.action_count` minus 1. Chance outcomes have no id.

    >>> actions = load("potlatch").actions
    >>> len(actions), actions[0], actions.index("Pw"), "Pup" in actions
    (12, 'Ce', 11, False)
    """
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    @overload
    def __getitem__(self, key: int, /) -> str: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def index(self, token: str, start: int = 0, stop: int | None = None) -> int:
        """Return the id of a token.

        Args:
            token: The token of an action of a seat.
            start: The first id to search, as in `list.index`.
            stop: The end of the search, as in `list.index`.

        Raises:
            ValueError: If no action has this token; lists examples.
        """

    def count(self, token: str) -> int:
        """Return 1 if an action has this token, else 0."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Plane:
    """One kind of information in an observation.

    Attributes:
        name: A unique name in lower case.
        kind: "cell" for one value for each cell, "scalar" for one value for the position.
        high: The largest value, from 1 to 255. The smallest is 0.
        about: The meaning of the values, in English.

    >>> load("potlatch").observation_space.planes[0].name
    'tile'
    """

    __match_args__ = ("name", "kind", "high", "about")

    def __new__(cls, name: str, kind: str, high: int, about: str) -> Plane: ...
    @property
    def name(self) -> str:
        """A unique name in lower case."""

    @property
    def kind(self) -> Literal["cell", "scalar"]:
        """Either "cell", one value for each cell, or "scalar", one value for the position."""

    @property
    def high(self) -> int:
        """The largest value, from 1 to 255."""

    @property
    def about(self) -> str:
        """The meaning of the values, in English."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Network:
    """A neural network: a policy over the actions and a share of the game for each seat.

    It evaluates positions in the compiled core, in a few microseconds each. Pass it to
    `search` or `search_batch` as `evaluate`. `tavola train` makes network files.

    The input x is the flat observation of the seat to act (`State.observation`), float32. With
    the arrays of `weights`:

        hidden = relu(x @ input.weight + input.bias)
        policy = softmax(hidden @ policy.weight + policy.bias), over the legal action ids
        second = relu(hidden @ value.weight + value.bias)
        shares = softmax(second @ shares.weight + shares.bias), the seat to act first and the
            others clockwise

    A network with `features` also reads the game's evaluation. The terms of each seat are its
    features (`State.features`) times the weights in `features`, less the mean over the seats.
    The terms of all seats, the seat to act first, limited to values from -4 to 4, extend x.
    `shares.weight` has one more column, whose output is the factor of the sum of each seat's
    terms, which is added to its logit.

    With `looks` the policy also reads the look of each action, from -8 to 8. A look is the
    logarithm of the odds of the seat to act after the action, by the evaluation with these
    weights. `policy.weight` has one more column, whose output is the factor of the looks.

    Args:
        data: The contents of a network file.

    Raises:
        ValueError: If the data is not a network file, is damaged, or is for a newer version
            of Tavola or for other observations.
        UnknownGame, OptionError: If the network is for an unknown game or options.
    """

    def __new__(cls, data: bytes) -> Network: ...
    @classmethod
    def from_weights(
        cls,
        game: Game,
        weights: Mapping[str, NDArray[np.float32]],
        about: str = "",
        *,
        features: Mapping[str, float] | None = None,
        looks: bool = False,
        c_puct: float | None = None,
        rollouts: float | None = None,
    ) -> Network:
        """Return a network with the nearest weights of 8 bits.

        Args:
            game: The game with its options.
            weights: The arrays `input.weight` (inputs, hidden), `value.weight` (hidden,
                second), `shares.weight` (second, seats), `policy.weight` (hidden, actions), and
                a vector `LAYER.bias` for each of these layers; float32. Features and looks
                extend them, as above.
            about: A line on where the network comes from.
            features: The weight of each feature of the game's evaluation, such as
                `Game.weights`; empty or None for a network that does not read it.
            looks: Whether the policy reads the evaluation after each action.
            c_puct: The exploration constant of its searches, from 0 to 100; None is the default
                of `search`.
            rollouts: The weight of a rollout in the value of each leaf of its searches, from 0 to
                1; None is 0.

        Raises:
            ValueError: If an array is missing, has another shape or a number that is not
                finite, or if the game has no observations or other features. Also if there are
                looks without features, or `c_puct` or `rollouts` is out of range.
        """
    @property
    def game(self) -> Game:
        """The game with its options."""
    @property
    def about(self) -> str:
        """Where the network comes from."""
    @property
    def features(self) -> dict[str, float]:
        """The weights of the features that the network reads, by name; empty if it reads none."""
    @property
    def looks(self) -> bool:
        """Whether the policy reads the evaluation after each action."""
    @property
    def c_puct(self) -> float | None:
        """The exploration constant of its searches; None is the default of `search`."""
    @property
    def rollouts(self) -> float | None:
        """The weight of a rollout in the value of each leaf of its searches; None is 0."""
    @property
    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The weights as a new dictionary of float32 arrays, as for `from_weights`."""
    def to_bytes(self) -> bytes:
        """Return the contents of a network file."""
    def evaluate(self, states: Sequence[State]) -> Targets:
        """Evaluate positions without a search.

        Args:
            states: Positions of the network's game and options.

        Returns:
            `Targets(policies, values)`: `policies` float32 (B, action_count), the probability of
            each action id, 0 for illegal ones and where no seat acts. `values` float32 (B,
            seats), each seat's expected share of the game; exact after the end of the game, and
            equal shares where chance acts.

        Raises:
            ValueError: If there are no states, or one is of another game or options.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ObservationSpace:
    """The shape of a game's observations, and the meaning of every plane.

    Layout "planes" has the shape (planes, rows, columns), and a scalar fills its plane. Layout
    "flat" has the shape (n,): the planes of cells one after the other, row by row, then each
    scalar once. As uint8, values are from 0 to the plane's `high`; as float32, they are divided
    by it.

    >>> space = load("potlatch").observation_space
    >>> space.board, space.shape(), space.shape("flat")
    ((10, 10), (18, 10, 10), (1305,))
    """
    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the rectangle of cells."""

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The planes: those of cells first, then the scalars."""

    def shape(self, layout: _Layout = "planes") -> tuple[int, ...]:
        """Return the shape of an observation.

        Args:
            layout: "planes" or "flat".

        Raises:
            ValueError: For another layout.
        """

    def high(self, layout: _Layout = "planes") -> NDArray[np.uint8]:
        """Return the largest value of every number of an observation.

        Args:
            layout: "planes" or "flat".

        Returns:
            A NumPy array of uint8 with `shape(layout)`.

        Raises:
            ValueError: For another layout.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Symmetry:
    """A symmetry of a game: a rotation or reflection that the rules do not notice.

    The arrays say where values come from: the new value at `i` is the old value at `array[i]`.

    >>> state = load("potlatch").start()
    >>> turned = state.game.symmetries[1]
    >>> turned.name, state.game.actions[turned.action(state.game.actions.index("Pe"))]
    ('rotate', 'Pse')
    >>> (turned.policy(state.mask()) == turned.state(state).mask()).all()
    np.True_
    """
    @property
    def game(self) -> Game:
        """The game."""

    @property
    def name(self) -> str:
        """A short name: "identity", or generators in order, such as "rotate^2 reflect"."""

    @property
    def cells(self) -> NDArray[np.int64]:
        """For each cell, row by row, the cell that its values come from.

        An array of int64 with shape (rows * columns,).
        """

    @property
    def planes(self) -> NDArray[np.int64]:
        """For each plane the plane that its values come from: int64, shape (planes,)."""

    @property
    def actions(self) -> NDArray[np.int64]:
        """For each action id the id that its value comes from: int64, shape (action_count,)."""

    def state(self, state: State) -> State:
        """Return the state after the symmetry.

        Args:
            state: A state of the same game.

        Raises:
            ValueError: If the state is of another game or other options.
        """

    def action(self, action_id: int) -> int:
        """Return the id of an action after the symmetry.

        Args:
            action_id: An action id.

        Raises:
            IndexError: If no action has this id.
        """

    def observation(self, values: ArrayLike, layout: _Layout = "planes") -> NDArray[Any]:
        """Return observations after the symmetry.

        Args:
            values: An observation, or several with more dimensions in front.
            layout: The layout of the observations, "planes" or "flat".

        Returns:
            A new NumPy array of the same shape and data type.

        Raises:
            ValueError: If the last dimensions are not those of the layout.
        """

    def policy(self, values: ArrayLike) -> NDArray[Any]:
        """Return values by action id after the symmetry: a mask, a policy or visit counts.

        Args:
            values: One value for each action id, or several such rows.

        Returns:
            A new NumPy array of the same shape and data type.

        Raises:
            ValueError: If the last dimension is not `action_count`.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class LeafBatch:
    """The positions of one call of an evaluation function. A seat acts in each.

    The arrays are built at their first use.
    """

    @property
    def game(self) -> Game:
        """The game of all positions."""
    @property
    def states(self) -> tuple[State, ...]:
        """The positions."""
    @property
    def to_act(self) -> NDArray[np.int32]:
        """The seat to act in each position: int32, shape (B,)."""
    @property
    def masks(self) -> NDArray[np.bool_]:
        """Whether each action id is legal in each position: bool, shape (B, action_count)."""
    @property
    def observations(self) -> NDArray[np.float32]:
        """The observation of the seat to act in each position.

        Float32, shape (B, planes, rows, columns).

        `Game.observation_space` describes the planes. For another seat, layout or data type,
        ask the states.

        Raises:
            ValueError: If the game has no observations.
        """
    def __len__(self) -> int: ...

@final
class LegalActions(Sequence[str]):
    """The tokens of legal actions: a lazy sequence, equal to any sequence of the same tokens.

    >>> actions = load("potlatch").start().legal_actions
    >>> len(actions), actions[0], "Pw" in actions
    (5, 'Pne', True)
    """

    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    @overload
    def __getitem__(self, key: int, /) -> str: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def index(self, token: str, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a token.

        Args:
            token: The token of an action.
            start: The first index to search, as in `list.index`.
            stop: The end of the search, as in `list.index`.

        Raises:
            ValueError: If the token is not there.
        """
    def count(self, token: str) -> int:
        """Return 1 if the token is in the sequence, else 0."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class MatchCore:
    """A game being played: actions, turns, undo, confirmation, and the end.

    It neither plays actions nor draws random events: `append` takes the state after them.

    Args:
        start: The first state.
        confirming: The seats that confirm their turns; those of all others are confirmed at once.
            None if turns need no confirmation.
    """

    def __new__(cls, start: State, confirming: Iterable[int] | None = None) -> MatchCore: ...
    def copy(self) -> MatchCore:
        """Return a copy, which later changes of this one do not change."""
    @property
    def state(self) -> State:
        """The current state."""
    @property
    def states(self) -> tuple[State, ...]:
        """The states from the first to the current one, one more than `actions`."""
    @property
    def actions(self) -> tuple[str, ...]:
        """The tokens of the actions in force, including chance outcomes."""
    def __len__(self) -> int: ...
    def append(self, token: str, after: State) -> None:
        """Add an action or random event, which leads from the current state to `after`."""
    def undo(self, keep: int) -> None:
        """Remove all actions but the first ones."""
    def confirm(self) -> None:
        """Confirm all actions."""
    def set_confirming(self, seats: Iterable[int]) -> None:
        """Change the seats that confirm their turns, if turns need a confirmation."""
    def end(self, reason: str, loser: int | None = None) -> None:
        """End the match by another cause than the rules.

        Args:
            reason: The cause, as a code.
            loser: The seat that has lost; None for a draw.
        """
    def at(self, count: int) -> MatchCore:
        """Return the match after some of its actions, all confirmed, and without a termination."""
    @property
    def status(self) -> Literal["playing", "confirming", "over"]:
        """The state of the match: "playing", "confirming" or "over"."""
    @property
    def acting(self) -> int | None:
        """The seat to act or to confirm; None where chance acts, and at the end."""
    @property
    def turn(self) -> int:
        """The number of the turn that is played or waits for its confirmation."""
    @property
    def outcome(self) -> Outcome | None:
        """The end, by the rules or otherwise; None before it."""
    @property
    def termination(self) -> str | None:
        """The cause of an end that the rules did not bring about, or None."""
    @property
    def loser(self) -> int | None:
        """The seat that lost by another cause than the rules, or None."""
    @property
    def is_opening(self) -> bool:
        """Whether a seat has not completed a turn yet."""
    @property
    def random_events(self) -> int:
        """The number of random events among the actions in force."""
    def turn_start(self, place: int) -> int:
        """Return the number of actions before the turn of an action."""
    def has_acted(self, seats: Iterable[int]) -> bool:
        """Return whether one of these seats has acted."""
    def last_action_of(self, seats: Iterable[int]) -> int | None:
        """Return the place of the last action of these seats, or None."""
    def undoable(self, seats: Iterable[int]) -> int | None:
        """Return the place of the last action of these seats; None if it cannot be undone."""
    def is_unconfirmed(self, place: int) -> bool:
        """Return whether it is the place of the last action, and the action is not confirmed."""
    def length_after_undo(self, seats: Iterable[int], whole_turn: bool) -> int | None:
        """Return the number of actions that stay after an undo of these seats' last action or turn.

        None if nothing can be undone.
        """

@final
class Outcome:
    """The end of a game: who won, and why.

    Args:
        winners: The seats that won; empty for a draw.
        reason: A code of the game's own, such as "stacks".

    >>> import tavola
    >>> tavola.Outcome((1,), "stacks").winners
    (1,)
    """

    __match_args__ = ("winners", "reason")

    def __new__(cls, winners: Sequence[int], reason: str) -> Outcome: ...
    @classmethod
    def lost_by(cls, loser: int, seats: int, reason: str) -> Outcome:
        """Return the end of a game that one seat has lost and all others have won.

        Args:
            loser: The seat that resigned, ran out of time or failed.
            seats: The number of seats of the game.
            reason: A code, such as "resigned".

        Raises:
            ValueError: If there is no such seat, or a game cannot have as many.

        >>> import tavola
        >>> tavola.Outcome.lost_by(0, 2, "time")
        Outcome(winners=(1,), reason="time")
        """
    def shares(self, seats: int) -> tuple[float, ...]:
        """Return the share of the win of each seat, from 0 to 1 with sum 1.

        The winners share it equally; in a draw all seats do.

        Args:
            seats: The number of seats of the game.

        Raises:
            ValueError: If a winner has no seat, or a game cannot have as many.

        >>> import tavola
        >>> tavola.Outcome((0,), "stacks").shares(2), tavola.Outcome((), "limit").shares(2)
        ((1.0, 0.0), (0.5, 0.5))
        """
    def returns(self, seats: int) -> tuple[float, ...]:
        """Return one number per seat, from -1 to 1 with sum 0.

        Of n seats, a seat that has not won gets -1 / (n - 1), and the winners share the rest. In a
        draw all seats get 0.

        Args:
            seats: The number of seats of the game.

        Raises:
            ValueError: If a winner has no seat, or a game cannot have as many.

        >>> import tavola
        >>> tavola.Outcome((1, 2), "time").returns(3)
        (-0.5, 0.25, 0.25)
        """
    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; empty for a draw."""
    @property
    def reason(self) -> str:
        """A code of the game's own, such as "stacks"."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Line:
    """An action and the result of its search."""

    @property
    def action(self) -> str:
        """The token of the action."""
    @property
    def shares(self) -> tuple[float, ...]:
        """The expected share of the game of each seat, from 0 to 1; the sum is 1.

        It is the mean over the visits, shrunk a little towards the mean of the position.
        """
    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """A 95 % interval of each share: the range of a search fifty times as long.

        It is (0, 1) without visits, and of width 0 for a proven result.
        """
    @property
    def margins(self) -> tuple[float, ...]:
        """The sampling error of each share alone, as the half-width of a 95 % interval.

        It is 0.5 without visits, and 0 for a proven result.
        """
    @property
    def visits(self) -> int:
        """The number of simulations that began with the action."""
    @property
    def variation(self) -> tuple[str, ...]:
        """The action and the best actions after it."""
    @property
    def proven(self) -> bool:
        """Whether the result is proven; the shares are then exact."""

@final
class Analysis:
    """The result of a search."""

    @property
    def best(self) -> str | None:
        """The best action; None if no seat acts."""
    @property
    def shares(self) -> tuple[float, ...]:
        """The expected share of the game of each seat, from 0 to 1; the sum is 1.

        It is the mean over the lines that are not lost, weighted by visits to the power of 3/2.
        The best line alone would be too optimistic. For alpha-beta it is the value of the best
        line.
        """
    @property
    def lines(self) -> tuple[Line, ...]:
        """A line for every action, the best first."""
    @property
    def policy(self) -> NDArray[np.float32]:
        """The policy as a training target: float32 (action_count,), 1 in sum.

        It is the share of the visits of each action id, without proven losses. A proven best
        action has all, as has the best action of alpha-beta. All are 0 where no seat acts.
        """
    @property
    def value(self) -> NDArray[np.float32]:
        """The value as a training target: `shares` as an array, float32 (seats,)."""
    @property
    def nodes(self) -> int:
        """The number of nodes that the search visited: one per simulation."""
    @property
    def tree(self) -> int:
        """The number of nodes of the tree."""
    @property
    def bytes(self) -> int:
        """The size of the tree in bytes."""
    @property
    def full(self) -> bool:
        """Whether the tree reached its memory limit and stopped growing."""
    @property
    def seconds(self) -> float:
        """The duration in seconds."""
    def _repr_html_(self) -> str: ...

@final
class Playouts:
    """The results of random games."""

    @property
    def count(self) -> int:
        """The number of finished games."""
    @property
    def actions(self) -> int:
        """The number of actions in all games, chance outcomes included."""
    @property
    def mean_returns(self) -> tuple[float, ...]:
        """The mean return of each seat, from -1 to 1; the sum is 0."""
    @property
    def seconds(self) -> float:
        """The duration in seconds."""

@final
class Proof:
    """A forced win, whatever the other seats and chance do."""

    @property
    def winner(self) -> int:
        """The seat that wins."""
    @property
    def plies(self) -> int:
        """The minimum number of actions that forces the win, chance outcomes included."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stop:
    """Stop or pause a search from another thread.

    >>> import tavola
    >>> stop = tavola.Stop()
    >>> stop.set()
    >>> stop.is_set()
    True
    """

    def __new__(cls) -> Stop: ...
    def set(self) -> None:
        """Stop the search, also during a pause."""

    def is_set(self) -> bool:
        """Return whether `set` was called."""

    def pause(self) -> None:
        """Pause the search within a fiftieth of a second, until `resume`.

        A paused search uses no processor time, and its time limit stops too. `set` still stops
        it.
        """

    def resume(self) -> None:
        """Continue a paused search, which returns the same result as without the pause."""

def _prove_until(
    state: State, plies: int = 6, *, stop: Stop | None = None
) -> tuple[int, Proof | None]:
    """Search as `prove` does; return also within how many actions it searched to the end."""

def perft(state: State, depth: int) -> int:
    """Count the sequences of exactly `depth` actions.

    A chance outcome counts once, whatever its weight.

    Args:
        state: The first position.
        depth: The length of the sequences in actions.

    Returns:
        The number of sequences. A finished game has none of length 1 or more.

    Raises:
        ValueError: If `depth` is negative.

    >>> [perft(load("potlatch").start(), depth) for depth in range(6)]
    [1, 5, 53, 314, 3302, 27933]
    """

def playouts(state: State, count: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Play random games to the end in the compiled core.

    The result depends on `seed` and `count`, not on `threads`.

    Args:
        state: The first position of every game.
        count: The number of games.
        seed: The seed of all random choices.
        threads: The number of threads.

    Raises:
        ValueError: If `count` is negative or `threads` is 0.

    >>> playouts(load("potlatch").start(), 100).count
    100
    """

def search(
    state: State,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    *,
    method: str = "auto",
    depth: int | None = None,
    uniform: bool = False,
    choose: bool = False,
    lookahead: int = 5,
    memory: int = 512,
    contempt: float = 0.0,
    evaluate: Callable[[LeafBatch], tuple[ArrayLike, ArrayLike]] | Network | None = None,
    batch: int | None = None,
    c_puct: float | None = None,
    rollouts: float | None = None,
    noise: tuple[float, float] | None = None,
    stop: Stop | None = None,
) -> Analysis:
    """Search for the best action, by Monte Carlo tree search or by alpha-beta.

    Alpha-beta searches games of two seats without chance by iterative deepening with the
    game's own evaluation. The interval of the best line reaches from the lowest to the
    highest value of the last depths. Other lines are refuted: their share is an upper
    bound, and their interval reaches from 0 to it. Their visits count nodes.

    With `nodes`, one thread and no `seconds`, the same seed gives the same analysis.

    With `evaluate`, a tree search by PUCT asks a Python function about its leaves, in
    batches. The function gets a `LeafBatch` of B positions and returns `(policy, value)`.
    `policy` has the shape (B, action_count): the probability of each action id. Values of
    illegal actions are ignored, and the legal ones need not sum to 1. `value` has the shape
    (B, seats): the expected share of the game of each seat, from 0 to 1 with sum 1. For two
    seats a share is (return + 1) / 2. Anything that NumPy can convert to float32 will do.
    The search runs in one thread and uses only `nodes`, `seconds`, `seed`, `memory`,
    `stop` and the parameters from `evaluate` to `noise`. A full tree ends it.

    A `Network` in place of the function evaluates the leaves in the compiled core, one at a
    time, and all limits of a tree search apply. With `batch` or `noise`, a network searches as
    a function does.

    Args:
        state: The position.
        seconds: The time limit; 1.0 without any limit in `seconds`, `nodes` or `depth`.
        nodes: The maximum number of nodes. A simulation visits one.
        threads: The number of threads that share the tree; all cores if None.
        seed: The seed of all random choices.
        method: "tree", "alphabeta", or "auto" for the method that is stronger for the game
            and the position.
        depth: The maximum depth of alpha-beta in actions. With "auto" it selects
            alpha-beta.
        uniform: Play rollouts with uniformly random actions instead of the game's rollout
            policy.
        choose: Only choose an action: play a forced one at once, and stop when no other can
            become the best.
        lookahead: The depth in actions of the exhaustive search for forced results that
            comes first. Above 5, in games of two seats without chance, alpha-beta looks
            further ahead within a part of the limits.
        memory: The memory limit of the tree in megabytes. A full tree stops growing, but
            the search continues.
        contempt: The part of its share of a draw, from 0 to 0.9, that the seat to act
            counts as lost. Unproven shares are then those of a game with such draws.
        evaluate: A function of a `LeafBatch` that returns `(policy, value)`, or a `Network`,
            in place of rollouts and the game's own evaluation.
        batch: The maximum number of positions in one call of `evaluate`; if None, 64 for a
            function, and 1 for a network. A larger one is faster and, at equal nodes, a little
            weaker.
        c_puct: The exploration constant of `evaluate`; that of the network, or 1.25, if None.
        rollouts: The weight of a rollout in the value of a leaf, from 0 to 1; the network has
            the rest. That of the network, or 0, if None. Needs a `Network` as `evaluate`,
            without `batch` and `noise`, which search without rollouts.
        noise: Dirichlet noise for the policy of the position: (alpha, fraction). Needs
            `evaluate`.
        stop: Stops the search within a fiftieth of a second and returns the analysis so
            far. Ctrl-C sets it too.

    Returns:
        The analysis. Its lines contain every action, the best one first.

    Raises:
        ValueError: If a limit is out of range, or the method is unknown or does not suit
            the game or `evaluate`.
        TypeError, ValueError: If `evaluate` returns anything else than two arrays of the
            right shapes and ranges. Exceptions of `evaluate` itself propagate.

    Source:
        Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning" (2006); Silver et al., "A
        general reinforcement learning algorithm that masters chess, shogi, and Go through
        self-play" (2018); docs/explanation/search.md.

    >>> state = load("potlatch").start()
    >>> search(state, nodes=500, threads=1).best in state.legal_actions
    True
    """

def search_batch(
    states: Sequence[State],
    nodes: int | Sequence[int] = 800,
    *,
    evaluate: Callable[[LeafBatch], tuple[ArrayLike, ArrayLike]] | Network | None = None,
    batch: int | None = None,
    c_puct: float | None = None,
    noise: tuple[float, float] | None = None,
    temperature: float = 1.0,
    threads: int | None = None,
    seed: int = 0,
) -> Targets:
    """Search many positions of one game, and return training targets as arrays.

    With a function as `evaluate` the leaves of all positions share the batches: see `search`.
    With a `Network` the search by PUCT runs in the compiled core, on several threads. Without
    `evaluate` the compiled tree search runs, one position a thread. The result depends on the
    seed, not on the number of threads.

    Args:
        states: The positions, of the same game and options. Chance may act, or the game may
            be over.
        nodes: The number of simulations of each position: one number, or one for each
            position. With `evaluate` the first simulation evaluates the position itself.
        evaluate: A function of a `LeafBatch`, or a `Network`, as of `search`.
        batch: The maximum number of positions in one call of `evaluate`; if None, 64 for a
            function and 1 for a network.
        c_puct: The exploration constant of `evaluate`; that of the network, or 1.25, if None.
        noise: Dirichlet noise for the policy of each position: (alpha, fraction). Needs
            `evaluate`.
        temperature: The policy is in proportion to the visits to the power of
            1 / temperature. At 0 the best action has all.
        threads: The number of threads, without a function; all cores if None.
        seed: The seed of all random choices.

    Returns:
        `Targets(policies, values)`: `policies` float32 (B, action_count), the share of the
        visits of each action id, 1 in sum; 0 where no seat acts. `values` float32 (B, seats),
        each seat's expected share of the game, from 0 to 1 and 1 in sum.

    Raises:
        ValueError: If there are no states, they are of several games, or a number is out of
            range.
        TypeError, ValueError: If `evaluate` returns anything else than two arrays of the
            right shapes and ranges. Exceptions of `evaluate` itself propagate.

    Source:
        Silver et al., "A general reinforcement learning algorithm that masters chess, shogi,
        and Go through self-play" (2018); docs/explanation/search.md.

    >>> start = load("potlatch").start()
    >>> policies, values = search_batch([start, start.play("Pnw")], nodes=100, threads=1)
    >>> policies.shape, values.shape
    ((2, 12), (2, 2))
    """

@final
class Searcher:
    """A search that keeps its tree from one position to the next.

    It finds the new position in its tree, however many actions later, and whichever seats
    played them. An unknown position starts a new tree. With `nodes`, one thread and no
    `seconds`, the same calls give the same analyses. A copy starts with an empty tree.

    Args:
        game: The game of all positions, or its name.

    >>> game = load("potlatch")
    >>> searcher = Searcher(game)
    >>> analysis = searcher.search(game.start(), nodes=2000, threads=1)
    >>> state = game.start().play(analysis.best)
    >>> kept = searcher.search(state, nodes=100, threads=1)
    >>> kept.nodes, sum(line.visits for line in kept.lines) > 100
    (100, True)
    """

    def __new__(cls, game: Game | str) -> Searcher: ...
    @property
    def game(self) -> Game:
        """The game of all positions."""
    def search(
        self,
        state: State,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        seed: int = 0,
        *,
        method: str = "auto",
        depth: int | None = None,
        uniform: bool = False,
        choose: bool = False,
        lookahead: int = 5,
        memory: int = 512,
        contempt: float = 0.0,
        evaluate: Network | None = None,
        c_puct: float | None = None,
        rollouts: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Search for the best action, as the function `search` does.

        The parameters are those of the function; `evaluate` is a `Network`. The limits apply to
        this search alone. The visits of the lines include those of earlier searches with the
        same network, or without one, and the same `c_puct`, `rollouts`, `uniform` and `contempt`.

        Raises:
            ValueError: If the state is of another game, and as `search` does.
            TypeError: If `evaluate` is not a `Network`.
            RuntimeError: If another thread uses this searcher.
        """
    def _search(
        self,
        state: State,
        engine: _EngineSpec,
        *,
        seed: int,
        limits: tuple[float | None, int | None, int | None] | None = None,
        network: Network | None = None,
        analyse: bool = False,
        stop: Stop | None = None,
    ) -> Analysis: ...
    def forget(self) -> None:
        """Free the tree and forget all earlier searches.

        Raises:
            RuntimeError: If another thread uses this searcher.
        """

def prove(state: State, plies: int = 6, *, stop: Stop | None = None) -> Proof | None:
    """Search for a win that is forced within a number of actions.

    The result is a proof, not an estimate.
    For the winner one winning action suffices. For other seats and for chance every action
    must lead to the win. Draws and repetition follow the rules.

    Args:
        state: The position.
        plies: The number of actions, chance outcomes included.
        stop: Stops the search from another thread. Ctrl-C sets it too.

    Returns:
        The proof; None if no seat can force a win so soon, or after a stop.

    Raises:
        ValueError: If `plies` is negative.

    >>> prove(load("potlatch").start(), 3) is None
    True
    """

def _why_not(
    state: State,
    token: str,
    *,
    nodes: int,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> str:
    """Explain why an action is worse than the best one.

    Args:
        state: A state in which a seat is to act.
        token: A legal action.
        nodes: The maximum number of nodes of each of up to five searches.
        seconds: The time limit of each search.
        stop: Stops the searches from another thread. Ctrl-C sets it too.

    Returns:
        A `WhyNot` as JSON: the cost of the action, the reply of another seat, and its reasons.

    Raises:
        IllegalAction: If the action is not legal, or no seat is to act.
    """

@final
class _Trees:
    """Search trees of positions, for longer and longer evaluations of the same positions."""

    def __new__(cls) -> _Trees: ...

def _evaluate(
    state: State,
    place: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
    trees: _Trees | None = None,
    network: Network | None = None,
) -> str:
    """Evaluate a position by search; where chance acts, every outcome.

    Args:
        state: The position.
        place: Its index in the game, from which its random seed is derived.
        seconds: The time limit.
        nodes: The maximum number of nodes.
        threads: The number of threads; all cores if None.
        seed: The random seed.
        stop: Stops the search from another thread. Ctrl-C sets it too.
        trees: Trees that the search continues.
        network: A network for the game and its options, which values the leaves.

    Returns:
        A `Value` of `tavola.analysis.evaluator` as JSON.

    Raises:
        ValueError: If a limit is out of range, or the network is for another game.
    """

def _judge(
    state: State,
    token: str,
    before: str,
    place: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
    network: Network | None = None,
) -> tuple[str, str]:
    """Judge an action, and evaluate the position after it.

    Args:
        state: The position before the action.
        token: The action or chance outcome.
        before: The value of that position as JSON.
        place: The index of that position in the game.
        seconds: The time limit of each of up to two evaluations.
        nodes: The maximum number of nodes of each.
        threads: The number of threads; all cores if None.
        seed: The random seed.
        stop: Stops the searches from another thread. Ctrl-C sets it too.
        network: A network for the game and its options, which values the leaves.

    Returns:
        An `Action` of `tavola.analysis`, and a `Value`, as JSON.

    Raises:
        IllegalAction: If the action is not legal.
        ValueError: If a limit is out of range, `before` is not a value, or the network is for
            another game.
    """

def _summarize(shares: Sequence[Sequence[float]], actions: str) -> str:
    """Summarize a review: the balance of each seat, and the decisive actions.

    Args:
        shares: The shares of the positions, at least one.
        actions: The judged actions between them as JSON.

    Returns:
        The balances and the indices of the decisive actions as JSON.

    Raises:
        ValueError: If there is no position, or `actions` are not judged actions.
    """

def _hint(state: State, *, stop: Stop | None = None) -> str:
    """Search a position for a hint.

    Args:
        state: A position in which a seat is to act.
        stop: Stops the search from another thread.

    Returns:
        The action and its reasons as JSON.

    Raises:
        ValueError: If no seat is to act.
    """

def _lesson_attempt(
    game: Game, lesson: str, step: int, line: list[str]
) -> tuple[
    Literal["playing", "wrong", "done"],
    list[tuple[State, str]],
    State,
    dict[str, str] | None,
    str | None,
]:
    """Play a try at a step of a lesson and judge it.

    Args:
        game: The game under the options of the lesson.
        lesson: The lesson as JSON.
        step: The index of the step.
        line: The actions of the player in this step, without chance outcomes and replies.

    Returns:
        The status, the actions played with the states before them, the last state, the text by
        language, and the next action of a solution.

    Raises:
        IllegalAction: If an action cannot be played.
        LessonError: As `_lesson_start`.
    """

def _lesson_start(game: Game, lesson: str, step: int) -> State:
    """Return the first state of a step of a lesson.

    Args:
        game: The game under the options of the lesson.
        lesson: The lesson as JSON.
        step: The index of the step.

    Raises:
        LessonError: If the position cannot be read, or another seat is to act.
    """

def describe(name: str) -> str:
    """Describe a game as JSON: options, messages, rule books, art, engine levels, lessons.

    Args:
        name: The name of the game.

    Raises:
        UnknownGame: If there is no such game.
    """

def say(name: str | None, language: str, text_json: str) -> str:
    """Format a message in a language.

    Args:
        name: The game of the message; None for a message of the core.
        language: A language code. English messages stand for missing ones.
        text_json: A `Text` as JSON: the key of a message and its parameters.

    Returns:
        The sentence or label. An unknown key appears as `⟨key⟩`.

    Raises:
        UnknownGame: If there is no such game.
        ValueError: If the JSON is not a `Text`.
    """

def _fit(
    features: Sequence[Sequence[Sequence[float]]], shares: Sequence[Sequence[float]], ridge: float
) -> list[float]:
    """Fit weights to positions and their results by regularized logistic regression.

    Args:
        features: For each position and seat the features: positions × seats × features.
        shares: For each position the share of each seat: positions × seats, 1 in sum.
        ridge: The strength of the L2 penalty.

    Returns:
        One weight per feature.

    Raises:
        ValueError: If the shapes disagree.
    """

def _looks(state: State, features: Mapping[str, float]) -> NDArray[np.float32]:
    """Evaluate a position after each legal action.

    Args:
        state: A position in which a seat acts.
        features: The weight of each feature.

    Returns:
        The logarithm of the odds of the seat to act, from -8 to 8: float32, in the order of
        `State.legal_ids`.

    Raises:
        ValueError: If no seat acts, or the game has other features.
    """

def _loss(
    features: Sequence[Sequence[Sequence[float]]],
    shares: Sequence[Sequence[float]],
    weights: Sequence[float],
) -> float:
    """Compute the mean logarithmic loss of weights.

    Args:
        features: For each position and seat the features: positions × seats × features.
        shares: For each position the share of each seat: positions × seats, 1 in sum.
        weights: One weight per feature.

    Returns:
        The loss in nats per position; 0 is perfect.

    Raises:
        ValueError: If the shapes disagree.
    """

def _restore_game(name: str, options: dict[str, str | int]) -> Game:
    """Restore a pickled game.

    Args:
        name: The name of the game.
        options: Values by option.
    """

def _restore_state(name: str, options: dict[str, str | int], text: str) -> State:
    """Restore a pickled state.

    Args:
        name: The name of the game.
        options: Values by option.
        text: The position text.
    """

def _record_columns(text: str) -> dict[str, Any]:
    """Parse game records into the buffers of Apache Arrow.

    Args:
        text: One or more records in the format of the rule books, below 2 GB.

    Returns:
        The number of records as `count`, and the buffers of columns. A column of strings has
        three: validity, offsets, bytes. `tags` has a name and strings for each tag. `games` has
        the offset of the first action of each record. For each action, `tokens` and `comments`
        have strings, and `turns` has 32-bit numbers, 0 within a turn.

    Raises:
        RecordError: With the line of the first error.
    """

def _counters(state: State, seat: int) -> dict[str, int]:
    """Return the counters of a seat in the view of a spectator.

    Args:
        state: The state.
        seat: The seat.

    Returns:
        The values by the ids of the counters; empty if there is no such seat.
    """

@final
class _EngineSpec:
    """The specification of an engine for a game, such as `tree:nodes=5000,threads=1`.

    Args:
        text: The specification.
        game: The game to play.
        analysis: Whether it is the engine of an analysis: `classic`, `net` or `net:file=PATH`; None
            for the best search of the game.

    Raises:
        EngineError: If the engine, a setting or a value is unknown; names all valid ones.
    """

    def __new__(cls, text: str | None, game: Game | str, analysis: bool = False) -> _EngineSpec: ...
    @property
    def kind(self) -> str:
        """The kind of the engine; for a level or `classic`, that of its engine."""
    @property
    def seconds(self) -> float | None:
        """The limit of time for an action, in seconds."""
    @property
    def nodes(self) -> int | None:
        """The limit of nodes for an action."""
    @property
    def depth(self) -> int | None:
        """The limit of depth for an action."""
    @property
    def lookahead(self) -> int:
        """The number of actions within which the engine sees every forced result."""
    @property
    def blunders(self) -> float:
        """The blunder rate, 0 for none."""
    @property
    def seed(self) -> int | None:
        """The seed of every game; None for a new one for each."""
    @property
    def patience(self) -> float | None:
        """The seconds that a program has to answer beyond its own limits."""
    @property
    def options(self) -> dict[str, str]:
        """The options of an external engine."""
    @property
    def command(self) -> str:
        """The program or class of an external engine."""
    @property
    def file(self) -> str | None:
        """The path of the file of the network or the solution; None without one."""
    @property
    def network(self) -> Network | None:
        """The game's own network that the engine plays with; None with another, or without one."""
    @property
    def forgets(self) -> bool:
        """Whether the engine discards its tree after every action."""
    def pick(self, analysis: Analysis, random: Callable[[], float]) -> int:
        """Return the index of the line to play: the best, or another one by the blunder rate.

        Args:
            analysis: The analysis of a position in which a seat acts.
            random: Returns a random number from 0 to 1, such as `random.random`.
        """

def _game(game: Game | str) -> Game:
    """Return a game, or the game of a name with its default options."""

def _whole(number: SupportsIndex, name: str, least: int = 0) -> int:
    """Return a whole number of any integer type as an int.

    Args:
        number: The number.
        name: The name of the parameter, for the message of an error.
        least: The smallest valid number.

    Raises:
        TypeError: If it is not a whole number.
        ValueError: If it is smaller, or 2**64 or more.
    """

def _restore_line(*parts: Any) -> Line:
    """Restore a pickled line."""

def _restore_analysis(*parts: Any) -> Analysis:
    """Restore a pickled analysis."""

def _engine_kinds() -> list[tuple[str, tuple[str, ...]]]:
    """Return the kinds of engines by name, each with the names of its settings."""

def _levels(game: Game | str) -> tuple[str, ...]:
    """Return the engine specifications of the levels of a game, the weakest first.

    Args:
        game: The game.
    """

def _archive(name: str) -> bytes:
    """Return the archive of a game, as `tavola.archive` reads it.

    Args:
        name: The name of the game.

    Returns:
        The file of the archive; empty if the game has none.

    Raises:
        UnknownGame: If there is no such game.
    """

def _replay_keys(
    game: Game, lengths: NDArray[np.uint32], choices: NDArray[np.uint16]
) -> NDArray[np.uint64]:
    """Replay the games of an archive.

    Args:
        game: The game.
        lengths: The number of actions and random events of each game: uint32.
        choices: The rank of each action among the legal ones, or of each random event among the
            outcomes: uint16, all games one after the other.

    Returns:
        The keys of all positions, first and last ones included: uint64, shape
        (len(choices) + len(lengths),).

    Raises:
        ValueError: If the lengths do not add up, or a game cannot be replayed or does not end.
    """

def _puzzles(name: str) -> str:
    """Return the puzzles of a game as JSON, as `tavola.puzzles` reads them.

    Args:
        name: The name of the game.

    Returns:
        The file of the puzzles; empty if the game has none.

    Raises:
        UnknownGame: If there is no such game.
    """

def _restore_symmetry(game: Game, number: int) -> Symmetry:
    """Restore a pickled symmetry.

    Args:
        game: The game.
        number: The index in `Game.symmetries`.

    Raises:
        ValueError: If the game has no symmetry with this index.
    """

def _record_game(record: object) -> Game:
    """Return `tavola.Record.game`."""

def _record_returns(record: object) -> tuple[float, ...] | None:
    """Return `tavola.Record.returns`."""

def _check_result(record: object, returns: Sequence[float]) -> None:
    """Raise `RecordError` if the tag `Result` differs from the returns at the end of the game."""

def _shown_turns(turns: Sequence[int]) -> list[int | None]:
    """Return the numbers that actions in these turns show in a record: None within a turn."""

def _record_to_text(record: object) -> str:
    """Write a game record.

    Args:
        record: A `tavola.Record`.

    Returns:
        The record in the format of the rule books.

    Raises:
        RecordError: If its text would not read back to an equal record.
        TypeError: If a part of the record has another type.
    """

def _records_from_text(text: str) -> str:
    """Parse game records.

    Args:
        text: One or more records in the format of the rule books.

    Returns:
        A JSON list of records.

    Raises:
        RecordError: With the line of the first error.
    """

@final
class VectorCore:
    """Environments that write the arrays of a `tavola.VectorEnv`, which checks the arguments."""

    def __new__(
        cls,
        game: Game,
        count: int,
        seed: int,
        threads: int | None,
        flat: bool,
        observations: NDArray[Any] | None,
        masks: NDArray[np.uint8],
        to_act: NDArray[np.int32],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.uint8],
        lengths: NDArray[np.int32],
        returns: NDArray[np.float32],
    ) -> Self: ...
    def step(self, ids: NDArray[np.int64]) -> None:
        """Play one action in each environment.

        Args:
            ids: The ids of legal actions, int64, of shape (count,).

        Raises:
            IllegalAction: For the first illegal action. No environment has changed.
        """
    def reset(self, seed: int | None = None) -> None:
        """Start new games.

        Args:
            seed: The seed of all random streams; None to continue them.

        Raises:
            ValueError: If the seed is negative or 2**64 or more.
        """
    def random_ids(self, ids: NDArray[np.int64]) -> None:
        """Draw a legal action for each environment, all equally likely.

        Args:
            ids: The array for the ids, int64, of shape (count,).
        """
    def state(self, environment: int) -> State:
        """Return the state of an environment.

        Args:
            environment: Its number, from 0.

        Returns:
            A state in which a seat is to act.

        Raises:
            IndexError: If there is no such environment.
        """
    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
    def close(self) -> None:
        """End the threads and free the games. The arrays remain. Closing twice does nothing."""
