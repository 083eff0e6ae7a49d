"""`tavola picture`: draws a position, or a game from its record."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console

import tavola
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable
from tavola.cli.exit_codes import FAILED
from tavola.cli.locales import Translator
from tavola.cli.perft import start
from tavola.cli.progress import show_progress
from tavola.cli.records import read_record
from tavola.cli.signals import interrupt_on_termination
from tavola.replay import Replay

COLOURS = {
    ".svg": ("light", "dark", "both"),
    ".png": ("light", "dark"),
    ".gif": ("light", "dark"),
    ".html": ("both",),
}
"""The kinds of files by the end of their names, each with its colours, the default first."""

PIXELS = {".svg": 720, ".png": 1440, ".gif": 720}
"""The default widths in pixels."""

LAYOUT = 720
"""The maximum width of the layout; wider images are enlarged."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of the command.

    Attributes:
        source: The path of a record, "-" for standard input, or the name of a game.
        output: The file to write; None for the name of the source with `.svg`.
        position: The text of a position of the game.
        options: The options of the game.
        number: The number of the record in its file, from 1.
        first: The number of actions before the first position.
        last: The number of actions before the last position, or the only one.
        seat: The seat that sees the game.
        width: The width in pixels.
        colours: The colours.
        seconds: The time of each position of an animation.
    """

    source: str
    output: Path | None
    position: str | None
    options: dict[str, str]
    number: int
    first: int | None
    last: int | None
    seat: int | None
    width: int | None
    colours: str | None
    seconds: float


def run(translate: Translator, arguments: Arguments) -> int:
    """Draw and write the file, and print its path.

    Returns:
        The exit code.

    Raises:
        UsageError: If an argument is wrong, or a file cannot be read or written.
        RequestError: For an unknown game, option or value.
    """
    output = arguments.output or Path(f"{Path(arguments.source.strip('-') or 'game').stem}.svg")
    suffix = output.suffix.lower()
    if suffix not in COLOURS:
        valid = translate("valid.picture", suffixes=", ".join(COLOURS))
        raise UsageError(translate, "bad-value", name="--out", given=output, valid=valid)
    colours = arguments.colours or COLOURS[suffix][0]
    if colours not in COLOURS[suffix]:
        valid = translate("valid.colours", suffix=suffix, colours=", ".join(COLOURS[suffix]))
        raise UsageError(translate, "bad-value", name="--colours", given=colours, valid=valid)
    if suffix == ".html" and arguments.width is not None:
        valid = translate("valid.page-width")
        raise UsageError(translate, "bad-value", name="--width", given=arguments.width, valid=valid)
    states, actions = _game(translate, arguments)
    _check_numbers(translate, arguments, states[0].game.seats, len(actions))
    if output.exists() and arguments.source != "-" and _is_same(output, arguments.source):
        raise UsageError(translate, "same-as-input", file=output)
    check_writable(translate, output)
    last = len(actions) if arguments.last is None else arguments.last
    single = suffix in (".svg", ".png")
    replay = Replay(
        states,
        actions,
        seat=arguments.seat,
        language=translate.language,
        first=last if single else arguments.first or 0,
        last=last,
    )
    try:
        content = _drawn(translate, replay, suffix, colours, arguments)
        atomic_write(output, content)
    except tavola.PictureError as error:
        message = translate("error.picture", detail=error)
        Console(stderr=True, highlight=False, markup=False).print(message, soft_wrap=True)
        return FAILED
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=output, detail=error) from None
    print(output)
    return 0


def _is_same(output: Path, source: str) -> bool:
    return Path(source).exists() and output.samefile(source)


def _game(
    translate: Translator, arguments: Arguments
) -> tuple[tuple[tavola.State, ...], tuple[str, ...]]:
    """Return the states and the actions of the record, or the one state of the position."""
    source = arguments.source
    by_name = source in tavola.games() or source.endswith(".py")
    if by_name or arguments.position is not None or arguments.options:
        name = source
        if source.endswith(".py"):
            from tavola.custom import load_file

            name = load_file(source)
        state = start(translate, name, arguments.options, arguments.position)
        return (state,), ()
    if source != "-" and not Path(source).exists():
        valid = ", ".join(tavola.games())
        raise UsageError(translate, "picture-source", given=source, valid=valid)
    record = read_record(translate, source, arguments.number)
    states: list[tavola.State] = []
    try:
        states.extend(record.states())
    except tavola.TavolaError as error:
        raise UsageError(translate, "bad-record", file=source, detail=error) from None
    return tuple(states), record.actions


def _check_numbers(translate: Translator, arguments: Arguments, seats: int, actions: int) -> None:
    """Reject a seat that does not exist, and numbers of actions beyond the record."""
    if arguments.seat is not None and arguments.seat >= seats:
        valid = translate("valid.seat", most=seats - 1)
        raise UsageError(translate, "bad-value", name="--seat", given=arguments.seat, valid=valid)
    last = actions if arguments.last is None else arguments.last
    for name, given, most in (
        ("--to", arguments.last, actions),
        ("--from", arguments.first, min(last, actions)),
    ):
        if given is not None and given > most:
            valid = translate("valid.range", least=0, most=most)
            raise UsageError(translate, "bad-value", name=name, given=given, valid=valid)


def _drawn(
    translate: Translator, replay: Replay, suffix: str, colours: str, arguments: Arguments
) -> bytes:
    if suffix == ".html":
        return replay.html().encode()
    width = arguments.width or PIXELS[suffix]
    if suffix == ".gif":
        return _animated(translate, replay, width, colours, arguments.seconds)
    if suffix == ".svg":
        return replay.picture(0, width=width).svg(colours).encode()
    return replay.picture(0, width=min(width, LAYOUT)).png(colours=colours, width=width)


def _animated(
    translate: Translator, replay: Replay, width: int, colours: str, seconds: float
) -> bytes:
    console = Console(stderr=True, highlight=False)
    drawing = translate("picture.drawing")
    with (
        interrupt_on_termination(),
        show_progress(console, drawing, total=len(replay.frames)) as tell,
    ):
        for done, image in enumerate(replay.gif(width=width, seconds=seconds, colours=colours), 1):
            if image is not None:
                return image
            tell(done, drawing)
    raise AssertionError("the image comes last")
