"""The compiled core, whose public names the package `tavola` gives.

Names with an underscore, and what returns JSON (of the types of `crates/core/src/view.rs`), serve
the package's own server and boards.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, final, overload

__all__ = [
    "CHANCE",
    "MOST_THREADS",
    "Analysis",
    "Deed",
    "Game",
    "LegalActions",
    "Line",
    "Outcome",
    "Playouts",
    "Proof",
    "Searcher",
    "Sight",
    "State",
    "Stop",
    "_fit",
    "_loss",
    "_records_from_text",
    "_records_to_text",
    "_restore_game",
    "_restore_state",
    "describe",
    "games",
    "load",
    "perft",
    "playouts",
    "prove",
    "say",
    "search",
]

CHANCE: Final[int]
"""Who acts when a shuffle, draw or spin is due: -1."""

MOST_THREADS: Final[int]
"""How many threads a search may have."""

def games() -> tuple[str, ...]:
    """The names of all games, sorted.

    >>> "potlatch" in games()
    True
    """

def load(name: str, /, **options: str | int) -> Game:
    """A game under the given options; the others are at their defaults.

    Args:
        name: The game's name.
        **options: Values by option, numbers or words. `rules_version` selects an older version
            of the rules, where the game still has it.

    Raises:
        UnknownGame: If no game is called so.
        OptionError: If the game has no such option or value; names every valid one.

    >>> load("potlatch", actions=3)
    tavola.load("potlatch", actions=3, layout='triangle')
    """

@final
class Game:
    """Rules and options: immutable, hashable, comparable, picklable."""

    @property
    def name(self) -> str:
        """The name, as in `load`."""
    @property
    def options(self) -> dict[str, str | int]:
        """The options in force, every one of them."""
    @property
    def seats(self) -> int:
        """The number of players."""
    @property
    def rules_version(self) -> int:
        """The version of the rules. It rises when the same actions could lead to another result."""
    @property
    def has_chance(self) -> bool:
        """Whether chance ever acts."""
    @property
    def action_count(self) -> int:
        """How many different actions of seats there are."""
    @property
    def weights(self) -> dict[str, float]:
        """The features of the game's evaluation, and how much each weighs; empty without one.

        >>> load("potlatch").weights["stacks_3"] > 0
        True
        """
    def start(self) -> State:
        """The position in which the game starts."""
    def parse(self, text: str) -> State:
        """The state of a position text, as the game's rule book defines it.

        Raises:
            PositionError: With every fault.

        >>> game = load("potlatch")
        >>> game.parse(game.start().text) == game.start()
        True
        """
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Sight:
    """What somebody sees of a position: held as it is, and written only as far as it is told."""

    def quiet(self) -> Sight:
        """The same for somebody who is not to choose an action."""
    def json(self) -> bytes:
        """All of it."""
    def prepare(self, before: Sight) -> None:
        """Says that `changes` will be asked for soon: a thread of the core's own begins with it."""
    def changes(self, before: Sight) -> bytes | None:
        """Return the diff from an earlier one (docs/reference/server-api.md), None if equal."""
    def label_json(self, token: str) -> bytes | None:
        """What is said of an action, or None of what is none."""
    def outcome_json(self) -> bytes | None:
        """How the game ended."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Deed:
    """What an action does, found out when it is told; `IllegalAction` then, if it is none."""

    def prepare(self) -> None:
        """Says that it will be told soon: a thread of the core's own begins with it."""
    def events_json(self) -> bytes:
        """All of it: a list of `Event`."""
    def text_json(self) -> bytes | None:
        """The first text of it, if there is one."""

@final
class State:
    """A position: immutable, hashable, comparable, picklable; draws itself in a notebook.

    Two states are equal exactly if their games are and the rules cannot tell them apart.
    """

    @property
    def game(self) -> Game:
        """The game that this is a state of."""
    @property
    def to_act(self) -> int | None:
        """The seat to act, `CHANCE`, or None when the game is over."""
    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions, in the order of their numbers; empty at chance and at the end."""
    @property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """What chance can do: tokens with exact integer weights; empty unless chance acts."""
    def play(self, token: str) -> State:
        """The state after an action or chance outcome; this one stays as it is.

        Raises:
            IllegalAction: Quotes token, reason and position.

        >>> load("potlatch").start().play("Pe")
        Traceback (most recent call last):
        ...
        tavola.errors.IllegalAction: 'Pe' is illegal: ...
        """
    def play_all(self, tokens: str) -> State:
        """The state after several actions, separated by white space.

        Raises:
            IllegalAction: At the first illegal one.
        """
    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
    @property
    def returns(self) -> tuple[float, ...] | None:
        """One number per seat, summing to zero, or None while the game goes on."""
    @property
    def turn(self) -> int:
        """The number of the current turn, 1 for the first.

        >>> load("potlatch").start().turn
        1
        """
    @property
    def text(self) -> str:
        """The position text of the game's rule book; `Game.parse` reads it back."""
    @property
    def key(self) -> int:
        """A hash of 64 bits: equal states of one game have equal keys, on every machine."""
    @property
    def features(self) -> dict[str, tuple[float, ...]]:
        """What the game's evaluation looks at: for each feature a number per seat.

        Empty when the game is over, or has no evaluation.

        >>> load("potlatch").start().features["to_act"]
        (1.0, 0.0)
        """
    @property
    def estimate(self) -> tuple[float, ...]:
        """What each seat can expect, from 0 to 1 and 1 in sum, by the evaluation alone.

        That is the softmax of the seats' weighted features; equal shares for a game without an
        evaluation, and what each seat got when the game is over.
        """
    @property
    def prompt(self) -> str:
        """What is asked of the seat to act, in English."""
    def svg(
        self,
        *,
        colours: str = "light",
        rings: Sequence[str] | None = None,
        arrows: Sequence[tuple[str, str]] | None = None,
        title: str | None = None,
    ) -> str:
        """The position as an SVG picture.

        Args:
            colours: "light" or "dark", or "page" to leave them to the page's variables.
            rings: Cells to mark with a ring.
            arrows: Pairs of cells to join with an arrow.
            title: The picture in words; the position text by default.

        Raises:
            ValueError: For other colours.
        """
    def view_json(self, viewer: int | None = None) -> str:
        """The position as a seat, or a spectator, may see it: a `View` as JSON."""
    def sight(self, viewer: int | None = None) -> Sight:
        """The same, to be written later."""
    @property
    def hides_nothing(self) -> bool:
        """Whether nothing is hidden from anybody: all may look on with any seat."""
    def events_json(self, token: str) -> str:
        """What a legal action does: a list of `Event` as JSON.

        Raises:
            IllegalAction: If it is not legal.
        """
    def deed(self, token: str) -> Deed:
        """The same, to be found out later."""
    def touch_refusal_json(self, touched: Sequence[str], turn: int | None = None) -> str | None:
        """Why touching these cells in order leads nowhere: a `Refusal` as JSON, or None.

        Args:
            touched: The names of cells.
            turn: How the piece in hand is turned, clockwise in degrees; None leaves that open.
        """
    def prospect_json(self, token: str) -> str:
        """What a legal action would bring: a `Prospect` as JSON.

        Raises:
            IllegalAction: If it is not legal.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class LegalActions(Sequence[str]):
    """Tokens of legal actions: a lazy sequence, equal to any sequence of the same tokens."""

    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    @overload
    def __getitem__(self, key: int, /) -> str: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def index(self, token: str, start: int = 0, stop: int | None = None) -> int:
        """The place of a token.

        Raises:
            ValueError: If it is not among them.
        """
    def count(self, token: str) -> int:
        """1 if the token is among them, else 0."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """How a game ended."""

    __match_args__ = ("winners", "reason")

    def __new__(cls, winners: Sequence[int], reason: str) -> Outcome: ...
    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; empty for a draw."""
    @property
    def reason(self) -> str:
        """A short code of the game's own."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Line:
    """An action and what a search found out about it."""

    @property
    def action(self) -> str:
        """The action's token."""
    @property
    def shares(self) -> tuple[float, ...]:
        """What each seat can expect of the game: from 0 to 1, 1 in sum.

        What the visits brought, and some more that are reckoned to have brought what those of the
        state did.
        """
    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """Between what bounds each share lies in a search fifty times as long, 95 times of 100.

        From 0 to 1 while there are no visits; of no width if the result is proven.
        """
    @property
    def margins(self) -> tuple[float, ...]:
        """By how much each share may be wrong by the scatter of the simulations alone.

        95 times of 100; 0.5 while there are no visits, 0 if the result is proven.
        """
    @property
    def visits(self) -> int:
        """How many simulations began with the action."""
    @property
    def variation(self) -> tuple[str, ...]:
        """The action and what would best follow it."""
    @property
    def proven(self) -> bool:
        """Whether the result is certain; the shares are then exact."""

@final
class Analysis:
    """What a search found out about a state."""

    @property
    def best(self) -> str | None:
        """The action to play; None if no seat acts."""
    @property
    def shares(self) -> tuple[float, ...]:
        """What each seat can expect of the game: from 0 to 1, 1 in sum.

        The mean of the lines that are not lost, each by its visits to the power of 3/2: the best
        line says more, and most of that is hope. Of alpha-beta, what the best line says.
        """
    @property
    def lines(self) -> tuple[Line, ...]:
        """Every action, the best first."""
    @property
    def nodes(self) -> int:
        """How many nodes were looked at, one per simulation."""
    @property
    def tree(self) -> int:
        """How many nodes the tree has."""
    @property
    def bytes(self) -> int:
        """How many bytes they take."""
    @property
    def full(self) -> bool:
        """Whether the tree reached the limit of its memory and could grow no more."""
    @property
    def seconds(self) -> float:
        """How long it took."""

@final
class Playouts:
    """What a number of random games came to."""

    @property
    def count(self) -> int:
        """How many games were played to the end."""
    @property
    def actions(self) -> int:
        """How many actions they had in all, chance outcomes included."""
    @property
    def mean_returns(self) -> tuple[float, ...]:
        """The mean of the returns, one number per seat."""
    @property
    def seconds(self) -> float:
        """How long it took."""

@final
class Proof:
    """A win that nobody can prevent."""

    @property
    def winner(self) -> int:
        """The seat that wins."""
    @property
    def plies(self) -> int:
        """With how many more actions at the latest; no fewer will do."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stop:
    """A way to end a search from another thread, or to let it rest.

    >>> import tavola
    >>> stop = tavola.Stop()
    >>> stop.set()
    >>> stop.is_set()
    True
    """

    def __new__(cls) -> Stop: ...
    def set(self) -> None:
        """Asks for the end."""

    def is_set(self) -> bool:
        """Whether the end was asked for."""

    def pause(self) -> None:
        """Lets the search rest where it stands, within a fiftieth of a second, until `resume`.

        It uses no processor then, and its time stands still. It can be ended meanwhile.
        """

    def resume(self) -> None:
        """Lets the search go on: it finds out what it would have without the rest."""

def perft(state: State, depth: int) -> int:
    """Counts the sequences of exactly `depth` actions, each chance outcome counted once.

    >>> [perft(load("potlatch").start(), depth) for depth in range(6)]
    [1, 5, 53, 314, 3302, 27933]
    """

def playouts(state: State, count: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Plays random games to the end in the compiled core.

    The result depends on `seed` and `count`, not on `threads`.

    Raises:
        ValueError: If `threads` is 0.
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
    sight: int = 5,
    memory: int = 512,
    contempt: float = 0.0,
    stop: Stop | None = None,
) -> Analysis:
    """Looks for the best action: by Monte Carlo tree search, or by alpha-beta.

    Alpha-beta searches games of two seats without chance: deeper and deeper, by the game's own
    evaluation. It gives the best line a value, in an interval from the lowest to the highest of the
    last depths; other lines have been refuted, and their shares are the most that the seat can
    expect of them, in an interval from 0 up to that. Visits are nodes.

    With `nodes`, one thread and no `seconds`, the same seed gives the same analysis.

    Args:
        state: Where to look.
        seconds: How long to think; 1.0 if neither this nor `nodes` nor `depth` is given.
        nodes: How many nodes to look at, one per simulation.
        threads: How many threads share the tree; all cores if None.
        seed: What all random choices follow from.
        method: "tree"; "alphabeta"; or "auto", what was measured to be stronger for the game and
            the kind of position.
        depth: How many actions to look ahead: a limit of alpha-beta, for which "auto" then stands.
        uniform: Whether games are played out with all actions equally likely, instead of with the
            game's own little sense.
        choose: Whether the search is only to choose: a forced action is answered at once, and the
            search ends when what is left of it can no longer bring another action to the front.
        sight: How many actions ahead every action is looked at for what is certain, before the
            search: 0 for a player who sees no further than the search does. Beyond 5, in games of
            two seats without chance, as far as a part of the limits suffices.
        memory: How many megabytes the tree may take. A full tree grows no more, but goes on
            counting.
        contempt: What part of its share of a draw, from 0 to 0.9, the seat to act counts as lost,
            and the others as theirs: it plays on where it stands little worse than even. Shares
            that are not proven are then those of a game with such draws.
        stop: Ends the search within a fiftieth of a second when another thread sets it; what has
            been found until then is the analysis. Ctrl-C sets it too.

    Raises:
        ValueError: If `seconds` is negative or `threads` is 0, or the method is unknown or does not
            suit the game.
    """

@final
class Searcher:
    """A search that keeps its tree: what was found out in one position serves in the next.

    The new position is found by itself, however many actions it is ahead and whoever played them;
    one that the tree does not know begins a new tree. With `nodes`, one thread and no `seconds`,
    the same calls give the same analyses.

    >>> game = load("potlatch")
    >>> searcher = Searcher(game)
    >>> analysis = searcher.search(game.start(), nodes=2000, threads=1)
    >>> state = game.start().play(analysis.best)
    >>> kept = searcher.search(state, nodes=100, threads=1)
    >>> kept.nodes, sum(line.visits for line in kept.lines) > 100
    (100, True)
    """

    def __new__(cls, game: Game) -> Searcher: ...
    @property
    def game(self) -> Game:
        """The game whose positions it searches."""
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
        sight: int = 5,
        memory: int = 512,
        contempt: float = 0.0,
        stop: Stop | None = None,
    ) -> Analysis:
        """Looks for the best action, as `search` does.

        The limits are for this search alone; the visits of the lines are those of earlier ones too.

        Raises:
            ValueError: If the state is of another game, and as `search` does.
            RuntimeError: If another thread is at work with this searcher.
        """
    def forget(self) -> None:
        """Gives the tree's memory back, and forgets what was found out.

        Raises:
            RuntimeError: If another thread is at work with this searcher.
        """

def prove(state: State, plies: int = 6, *, stop: Stop | None = None) -> Proof | None:
    """Looks for a win that is forced within some actions: the truth, and no estimate.

    Of the winner's actions one that wins is enough; of the others' and of chance every one must
    lead to the win. Draws and repetition count as the rules have them.

    Args:
        state: Where to look.
        plies: Within how many actions, chance outcomes included.
        stop: A flag to end it with from another thread; Ctrl-C sets it too.

    Returns:
        The proof, or None if no seat can force a win so soon (or it was stopped).
    """

def describe(name: str) -> str:
    """What is known of a game before anybody plays, as JSON: options, words, rule books, art.

    Raises:
        UnknownGame: If no game is called so.
    """

def say(name: str | None, language: str, text_json: str) -> str:
    """A `Text` (JSON) of a game in words; of the core itself without a name.

    Raises:
        UnknownGame: If no game is called so.
        ValueError: If there are no words in the language, or the JSON is no text.
    """

def _fit(
    features: Sequence[Sequence[Sequence[float]]], shares: Sequence[Sequence[float]], ridge: float
) -> list[float]: ...
def _loss(
    features: Sequence[Sequence[Sequence[float]]],
    shares: Sequence[Sequence[float]],
    weights: Sequence[float],
) -> float: ...
def _restore_game(name: str, options: dict[str, str | int]) -> Game: ...
def _restore_state(name: str, options: dict[str, str | int], text: str) -> State: ...
def _records_from_text(text: str) -> str: ...
def _records_to_text(records_json: str) -> str: ...
