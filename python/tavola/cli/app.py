"""The commands and their parameters. Each command imports its own module when it is called.

`--lang` is a parameter of every command. It is read before all others, so that help and errors are
in that language too.
"""

import errno
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, TextIO

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from tavola._core import MAX_THREADS
from tavola.cli.archive_commands import add_archive_commands
from tavola.cli.errors import (
    UsageError,
    nearest,
    parse_options,
    parse_seconds,
    parse_whole_number,
)
from tavola.cli.exit_codes import FAILED, INTERRUPTED, USAGE_ERROR
from tavola.cli.flags import OLD_SPELLINGS
from tavola.cli.help import classes
from tavola.cli.locales import Translator, requested_language, system_language
from tavola.cli.match_commands import add_match_commands
from tavola.cli.picture_commands import add_picture_commands
from tavola.cli.report_commands import add_report_commands
from tavola.cli.serve_command import add_serve_command
from tavola.cli.train_command import add_train_command
from tavola.errors import GameFailed
from tavola.fairness import is_secret
from tavola.language import LANGUAGES
from tavola.server.schema.errors import RequestError
from tavola.server.schema.errors import message_for as reason_words

_USAGE = {
    r"Option '(.*)' requires an argument\.": "value-missing",
    r"Option '(.*)' does not take a value\.": "value-unexpected",
    r"Got unexpected extra argument\(s\) \((.*)\)": "unexpected-argument",
}
"""The messages of the library for wrong commands, and the keys of our messages for them."""


def run(arguments: Sequence[str]) -> int:
    """Run a command.

    Returns:
        The exit code: 0, 1 if the output cannot be written, 2 for a usage error, 130 after Ctrl-C.
        If the reader of the output exits early, as `head` does, the command ends silently with 0.
    """
    _open_what_is_closed()
    asked = requested_language(arguments)
    translate = Translator(
        next((language for language in LANGUAGES if language == asked), system_language())
    )
    try:
        status = _run_and_report(translate, asked, arguments)
        sys.stdout.flush()
    except (OSError, SystemExit) as left:
        # The libraries that print and parse raise SystemExit for a closed pipe.
        if any(isinstance(one, BrokenPipeError) for one in (left, left.__context__)):
            status = 0
        elif isinstance(left, OSError) and left.errno == errno.ENOSPC:
            print(translate("error.cannot-write-output", detail=left.strerror), file=sys.stderr)
            status = FAILED
        else:
            raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.__stdout__, sys.__stderr__):
            _redirect(stream, nowhere)
    return status


def _open_what_is_closed() -> None:
    """Open missing standard streams on the null device.

    Otherwise a file that is opened later would get the number of a standard stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def _redirect(stream: TextIO | None, to: int) -> None:
    """Redirect a stream, if it can no longer be written."""
    if stream is not None:
        try:
            stream.flush()
        except OSError:
            os.dup2(to, stream.fileno())


def _run_and_report(translate: Translator, asked: str | None, arguments: Sequence[str]) -> int:
    try:
        if asked is not None and asked not in LANGUAGES:
            raise UsageError(
                translate,
                "bad-value",
                name="--lang",
                given=asked,
                valid=translate("valid.language"),
            )
        return _run(translate, list(arguments))
    except UsageError as fault:
        print(fault, file=sys.stderr)
        return USAGE_ERROR
    except RequestError as error:
        _print_rejection(translate, error)
        return USAGE_ERROR
    except TyperException as error:
        _print_usage_error(translate, error)
        return USAGE_ERROR
    except GameFailed as error:
        _print_failed_game(translate, error)
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return INTERRUPTED


def _run(translate: Translator, arguments: list[str]) -> int:
    command = typer.main.get_command(_build(translate))
    assert isinstance(command, TyperGroup)
    names = list(command.commands)
    first = _first_word(arguments)
    if first is None and not set(arguments) & {"--help", "-h", "--version"}:
        arguments = ["serve", *arguments]
    elif first is not None and first not in names:
        valid = ", ".join(names)
        raise UsageError(
            translate, "unknown-command", given=first, valid=valid, nearest=nearest(first, names)
        )
    result = command.main(arguments, prog_name="tavola", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _first_word(arguments: list[str]) -> str | None:
    """Return the name of the command, or `None`; only `--lang` and `--game` may precede it."""
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in ("--lang", "--game"):
            skip = True
        elif argument.startswith(("--lang=", "--game=")):
            continue
        elif argument.startswith("-"):
            return None
        else:
            return argument
    return None


def _print_rejection(translate: Translator, error: RequestError) -> None:
    for one in (error, *error.also):
        message = reason_words(one.code, one.params, translate.language)
        for name in ("game", "option", "value"):
            given, valid = one.params.get(name), one.params.get("valid")
            if given and valid and (near := nearest(str(given), valid)) and one.code.endswith(name):
                message = translate.join_sentences(
                    message, translate("error.did-you-mean", nearest=near)
                )
        print(message, file=sys.stderr)


def _print_failed_game(translate: Translator, error: GameFailed) -> None:
    """Print why the rules of a game written in Python failed, with their traceback."""
    if error.__cause__ is not None:
        traceback.print_exception(error.__cause__)
    print(translate.translate_part(str(error)), file=sys.stderr)


def _registered(game: str | None) -> str | None:
    """Register the game of a Python file; return the name of the game."""
    if game is None or not game.endswith(".py"):
        return game
    from tavola.custom import load_file

    return load_file(game)


def _register_files(paths: list[str] | None) -> list[str] | None:
    """Register the games of Python files."""
    for path in paths or ():
        from tavola.custom import load_file

        load_file(path)
    return paths


def _print_usage_error(translate: Translator, error: TyperException) -> None:
    context = getattr(error, "ctx", None)
    flag = getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    if flag is not None and hasattr(error, "possibilities"):
        parameters = context.command.params if context else []
        known = [name for one in parameters for name in one.opts if name not in OLD_SPELLINGS]
        message = str(
            UsageError(translate, "unknown-flag", given=flag, nearest=nearest(flag, known))
        )
    elif parameter is not None and hasattr(error, "param_type"):
        flags = [name for name in parameter.opts if name.startswith("-")]
        message = translate("error.missing", name=flags[0] if flags else parameter.metavar)
    else:
        detail = error.format_message()
        found = ((key, re.fullmatch(form, detail, re.DOTALL)) for form, key in _USAGE.items())
        matches = ((key, match[1]) for key, match in found if match)
        key, given = next(matches, ("usage", ""))
        message = str(UsageError(translate, key, given=given, detail=detail))
    path = context.command_path if context else "tavola"
    print(translate.join_sentences(message, translate("error.help", command=path)), file=sys.stderr)


def _build(translate: Translator) -> typer.Typer:
    """Build the commands with their help in a language."""
    group, described = classes(translate)
    app = typer.Typer(
        cls=group,
        help=translate("app"),
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    lang = typer.Option("--lang", metavar="LANG", help=translate("help.lang"))
    game_name = typer.Argument(
        metavar="GAME", help=translate("help.game"), show_default=False, callback=_registered
    )
    game_file = typer.Option(
        "--game",
        metavar="FILE",
        help=translate("help.game-file"),
        show_default=False,
        callback=_register_files,
    )
    option = typer.Option("--option", "-o", metavar="NAME=VALUE", help=translate("help.option"))
    game_option = typer.Option(
        "--game", "-g", metavar="GAME", help=translate("help.game"), callback=_registered
    )
    cluster = typer.Option(
        "--cluster", metavar="ADDRESS", envvar="TAVOLA_CLUSTER", help=translate("help.cluster")
    )
    threads = typer.Option("--threads", metavar="N", help=translate("help.threads"))

    @app.callback(cls=group, help=translate("app"), invoke_without_command=True)
    def everything(
        game: Annotated[list[str] | None, game_file] = None,
        lang: Annotated[str | None, lang] = None,
        version: Annotated[bool, typer.Option("--version", help=translate("help.version"))] = False,
    ) -> None:
        if version:
            _version()
            raise typer.Exit

    add_serve_command(app, described, translate, game_file=game_file, lang=lang)

    @app.command(cls=described, help=translate("help.games"))
    def games(lang: Annotated[str | None, lang] = None) -> None:
        from tavola.cli.games import show

        show(translate)

    @app.command(cls=described, help=translate("help.rules"))
    def rules(game: Annotated[str, game_name], lang: Annotated[str | None, lang] = None) -> None:
        from tavola.cli.rules import show

        show(translate, game)

    @app.command(cls=described, help=translate("help.play"))
    def play(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        engine: Annotated[
            list[str] | None, typer.Option(metavar="SEAT", help=translate("help.engine"))
        ] = None,
        seconds_: Annotated[
            str, typer.Option("--seconds", metavar="S", help=translate("help.seconds"))
        ] = "1",
        seed: Annotated[
            str | None, typer.Option("--seed", metavar="N", help=translate("help.seed"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.play import Play

        return Play(
            translate,
            game,
            options=parse_options(translate, option),
            engines=engine or [],
            seconds=parse_seconds(translate, "--seconds", seconds_),
            seed=None
            if seed is None
            else parse_whole_number(translate, "--seed", seed, 0, 2**63 - 1),
        ).run()

    @app.command(cls=described, help=translate("help.check"))
    def check(
        file: Annotated[
            str,
            typer.Argument(metavar="FILE", help=translate("help.game-file"), show_default=False),
        ],
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.check-games"))
        ] = "40",
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.check-seed"))] = "0",
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.check import run

        return run(
            translate,
            file,
            games=parse_whole_number(translate, "--games", games_, 1, 10**6),
            seed=parse_whole_number(translate, "--seed", seed, 0, 2**63 - 1),
        )

    @app.command(cls=described, help=translate("help.perft"))
    def perft(
        game: Annotated[str, game_name],
        depth: Annotated[
            str, typer.Argument(metavar="DEPTH", help=translate("help.depth"), show_default=False)
        ],
        option: Annotated[list[str] | None, option] = None,
        position: Annotated[
            str | None, typer.Option(metavar="TEXT", help=translate("help.position"))
        ] = None,
        divide: Annotated[bool, typer.Option("--divide", help=translate("help.divide"))] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> None:
        from tavola.cli.perft import count

        number = parse_whole_number(translate, "DEPTH", depth, 0, 30, translate("valid.depth"))
        count(
            translate,
            game,
            number,
            options=parse_options(translate, option),
            position=position,
            divide=divide,
        )

    @app.command(cls=described, help=translate("help.bench"))
    def bench(
        game: Annotated[str | None, game_name] = None,
        seconds_: Annotated[
            str, typer.Option("--seconds", metavar="S", help=translate("help.bench-seconds"))
        ] = "2",
        threads: Annotated[str, threads] = "1",
        lang: Annotated[str | None, lang] = None,
    ) -> None:
        from tavola.cli.bench import measure

        measure(
            translate,
            game,
            seconds=parse_seconds(translate, "--seconds", seconds_),
            threads=parse_whole_number(translate, "--threads", threads, 1, MAX_THREADS),
        )

    @app.command(cls=described, help=translate("help.analyse"))
    def analyse(
        record: Annotated[
            str, typer.Argument(metavar="RECORD", help=translate("help.record"), show_default=False)
        ],
        number: Annotated[
            str, typer.Option("--number", metavar="N", help=translate("help.number"))
        ] = "1",
        seconds_: Annotated[
            str | None,
            typer.Option("--seconds", metavar="S", help=translate("help.position-seconds")),
        ] = None,
        nodes: Annotated[
            str | None, typer.Option("--nodes", metavar="N", help=translate("help.nodes"))
        ] = None,
        threads: Annotated[
            str | None, typer.Option("--threads", metavar="N", help=translate("help.all-threads"))
        ] = None,
        seed: Annotated[
            str, typer.Option("--seed", metavar="N", help=translate("help.search-seed"))
        ] = "0",
        engine: Annotated[
            str | None,
            typer.Option("--engine", metavar="ENGINE", help=translate("help.analysis-engine")),
        ] = None,
        json: Annotated[
            str | None, typer.Option("--json", metavar="FILE", help=translate("help.analysis-file"))
        ] = None,
        commented: Annotated[
            str | None,
            typer.Option("--record", metavar="FILE", help=translate("help.annotated-record")),
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.analyse import Arguments, run

        def count(name: str, given: str | None, least: int, most: int | None) -> int | None:
            return (
                None if given is None else parse_whole_number(translate, name, given, least, most)
            )

        arguments = Arguments(
            path=record,
            number=count("--number", number, 1, None) or 1,
            seconds=None if seconds_ is None else parse_seconds(translate, "--seconds", seconds_),
            nodes=count("--nodes", nodes, 1, 2**32 - 1),
            threads=count("--threads", threads, 1, MAX_THREADS),
            seed=count("--seed", seed, 0, 2**63 - 1) or 0,
            engine=engine,
            json=json,
            record=commented,
        )
        return run(translate, arguments)

    @app.command(cls=described, help=translate("help.verify"))
    def verify(
        record: Annotated[
            str, typer.Argument(metavar="RECORD", help=translate("help.record"), show_default=False)
        ],
        number: Annotated[
            str, typer.Option("--number", metavar="N", help=translate("help.number"))
        ] = "1",
        commitment: Annotated[
            str | None,
            typer.Option("--commitment", metavar="HEX", help=translate("help.commitment")),
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.verify import run

        if commitment is not None and not is_secret(commitment.lower()):
            valid = translate("valid.commitment")
            raise UsageError(
                translate, "bad-value", name="--commitment", given=commitment, valid=valid
            )
        which = parse_whole_number(translate, "--number", number, 1, None)
        return run(translate, record, which, commitment)

    add_match_commands(
        app,
        described,
        translate,
        option=option,
        cluster=cluster,
        game_option=game_option,
        game_name=game_name,
        lang=lang,
    )
    add_report_commands(
        app, described, translate, option=option, cluster=cluster, game_name=game_name, lang=lang
    )
    add_archive_commands(
        app, described, translate, option=option, cluster=cluster, game_name=game_name, lang=lang
    )
    add_train_command(
        app, described, translate, option=option, cluster=cluster, game_name=game_name, lang=lang
    )
    add_picture_commands(app, described, translate, lang=lang)

    @app.command(cls=described, help=translate("help.ugi"))
    def ugi(lang: Annotated[str | None, lang] = None) -> int:
        from tavola.ugi import serve

        return serve()

    @app.command(cls=described, help=translate("help.version"))
    def version(lang: Annotated[str | None, lang] = None) -> None:
        _version()

    return app


def _version() -> None:
    import tavola

    print(f"tavola {tavola.__version__}")
