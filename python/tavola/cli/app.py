"""The commands and their parameters. Each command imports its own module when it is called.

`--lang` is a parameter of every command. It is read before all others, so that help and errors are
in that language too.
"""

import errno
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TextIO

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from tavola._core import MAX_THREADS
from tavola.cli.errors import UsageError, nearest, seconds, whole
from tavola.cli.exit_codes import FAILED, INTERRUPTED, USAGE_ERROR
from tavola.cli.help import classes
from tavola.cli.locales import Translator, requested_language, system_language
from tavola.engines.spec import KINDS
from tavola.fairness import is_secret
from tavola.server.schema.errors import RequestError
from tavola.server.schema.errors import message_for as reason_words
from tavola.server.schema.locale import LANGUAGES

_USAGE = {
    r"Option '(.*)' requires an argument\.": "value-missing",
    r"Option '(.*)' does not take a value\.": "value-unwanted",
    r"Got unexpected extra argument\(s\) \((.*)\)": "left-over",
}
"""What the library says of a wrong command, and the keys of our words for it."""


def run(arguments: Sequence[str]) -> int:
    """Runs a command.

    Returns:
        The exit status: 0, 1 if the output can be written no further, 2 for a wrong command, 130
        after Ctrl-C. Whoever reads the output may leave before its end, as `head` does: then the
        command ends with 0 and says nothing.
    """
    _open_what_is_closed()
    asked = requested_language(arguments)
    words = Translator(
        next((language for language in LANGUAGES if language == asked), system_language())
    )
    try:
        status = _answered(words, asked, arguments)
        sys.stdout.flush()
    except (OSError, SystemExit) as left:
        # The libraries that print and parse make a SystemExit of a pipe that is closed.
        if any(isinstance(one, BrokenPipeError) for one in (left, left.__context__)):
            status = 0
        elif isinstance(left, OSError) and left.errno == errno.ENOSPC:
            print(words("error.no-room", detail=left.strerror), file=sys.stderr)
            status = FAILED
        else:
            raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.__stdout__, sys.__stderr__):
            _redirect(stream, nowhere)
    return status


def _open_what_is_closed() -> None:
    """Who is started without a standard stream hears nothing by it, and what it says goes nowhere.

    Else a file that is opened later would take its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def _redirect(stream: TextIO | None, to: int) -> None:
    """Sends what a stream has not written yet elsewhere, if it can be written no more."""
    if stream is not None:
        try:
            stream.flush()
        except OSError:
            os.dup2(to, stream.fileno())


def _answered(words: Translator, asked: str | None, arguments: Sequence[str]) -> int:
    try:
        if asked is not None and asked not in LANGUAGES:
            raise UsageError(
                words, "bad-value", name="--lang", given=asked, valid=words("valid.language")
            )
        return _run(words, list(arguments))
    except UsageError as fault:
        print(fault, file=sys.stderr)
        return USAGE_ERROR
    except RequestError as refused:
        _tell_refused(words, refused)
        return USAGE_ERROR
    except TyperException as error:
        _tell_usage(words, error)
        return USAGE_ERROR
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return INTERRUPTED


def _run(words: Translator, arguments: list[str]) -> int:
    command = typer.main.get_command(_build(words))
    assert isinstance(command, TyperGroup)
    names = list(command.commands)
    first = _first_word(arguments)
    if first is None and not set(arguments) & {"--help", "-h", "--version"}:
        arguments = ["serve", *arguments]
    elif first is not None and first not in names:
        valid = ", ".join(names)
        raise UsageError(
            words, "unknown-command", given=first, valid=valid, nearest=nearest(first, names)
        )
    result = command.main(arguments, prog_name="tavola", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _first_word(arguments: list[str]) -> str | None:
    """The command's name, which nothing but `--lang` may stand before; `None` if it is left out."""
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument == "--lang":
            skip = True
        elif argument.startswith("-"):
            return None if not argument.startswith("--lang=") else _first_word(arguments[1:])
        else:
            return argument
    return None


def _tell_refused(words: Translator, refused: RequestError) -> None:
    for one in (refused, *refused.also):
        message = reason_words(one.code, one.params, words.language)
        for name in ("game", "option", "value"):
            given, valid = one.params.get(name), one.params.get("valid")
            if given and valid and (near := nearest(str(given), valid)) and one.code.endswith(name):
                message = words.join_sentences(message, words("error.nearest", nearest=near))
        print(message, file=sys.stderr)


def _tell_usage(words: Translator, error: TyperException) -> None:
    context = getattr(error, "ctx", None)
    flag = getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    if flag is not None and hasattr(error, "possibilities"):
        known = [name for known in context.command.params for name in known.opts] if context else []
        message = str(UsageError(words, "unknown-flag", given=flag, nearest=nearest(flag, known)))
    elif parameter is not None and hasattr(error, "param_type"):
        flags = [name for name in parameter.opts if name.startswith("-")]
        message = words("error.missing", name=flags[0] if flags else parameter.metavar)
    else:
        detail = error.format_message()
        found = ((key, re.fullmatch(form, detail, re.DOTALL)) for form, key in _USAGE.items())
        told = ((key, match[1]) for key, match in found if match)
        key, given = next(told, ("usage", ""))
        message = str(UsageError(words, key, given=given, detail=detail))
    path = context.command_path if context else "tavola"
    print(words.join_sentences(message, words("error.help", command=path)), file=sys.stderr)


def _build(words: Translator) -> typer.Typer:
    """The commands, described in a language."""
    group, described = classes(words)
    app = typer.Typer(
        cls=group,
        help=words("app"),
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    lang = typer.Option("--lang", metavar="LANG", help=words("help.lang"))
    game_name = typer.Argument(metavar="GAME", help=words("help.game"), show_default=False)
    option = typer.Option("--option", "-o", metavar="NAME=VALUE", help=words("help.option"))
    kinds = ", ".join(kind for kind in KINDS if kind not in ("level", "ugi"))
    threads = typer.Option("--threads", metavar="N", help=words("help.threads"))

    @app.callback(cls=group, help=words("app"), invoke_without_command=True)
    def everything(
        lang: Annotated[str | None, lang] = None,
        version: Annotated[bool, typer.Option("--version", help=words("help.version"))] = False,
    ) -> None:
        if version:
            _version()
            raise typer.Exit

    @app.command(cls=described, help=words("help.serve"))
    def serve(
        host: Annotated[
            str, typer.Option(envvar="HOST", metavar="HOST", help=words("help.host"))
        ] = "127.0.0.1",
        port: Annotated[
            str, typer.Option(envvar="PORT", metavar="PORT", help=words("help.port"))
        ] = "8000",
        database: Annotated[
            str | None,
            typer.Option(
                envvar="TAVOLA_DATABASE",
                metavar="URL",
                help=words("help.database"),
                show_default=False,
            ),
        ] = None,
        fan_out: Annotated[
            str | None,
            typer.Option(
                envvar="TAVOLA_FAN_OUT",
                metavar="URL",
                help=words("help.fan-out"),
                show_default=False,
            ),
        ] = None,
        origin: Annotated[
            list[str] | None, typer.Option(metavar="ORIGIN", help=words("help.origin"))
        ] = None,
        browser: Annotated[
            bool, typer.Option("--open/--no-browser", help=words("help.browser"))
        ] = True,
        verbose: Annotated[
            bool, typer.Option("--verbose", "-v", help=words("help.verbose"))
        ] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.serve import Server
        from tavola.cli.serve import origin as named

        number = whole(words, "--port", port, 0, 65535, words("valid.port"))
        server = Server(
            words=words,
            host=host,
            port=number,
            database=database,
            fan_out=fan_out,
            origins=tuple(named(words, one) for one in origin or ()),
            browser=browser,
            verbose=verbose,
        )
        return server.run()

    @app.command(cls=described, help=words("help.games"))
    def games(lang: Annotated[str | None, lang] = None) -> None:
        from tavola.cli.games import show

        show(words)

    @app.command(cls=described, help=words("help.rules"))
    def rules(game: Annotated[str, game_name], lang: Annotated[str | None, lang] = None) -> None:
        from tavola.cli.rules import show

        show(words, game)

    @app.command(cls=described, help=words("help.play"))
    def play(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        engine: Annotated[
            list[str] | None, typer.Option(metavar="SEAT", help=words("help.engine"))
        ] = None,
        seconds_: Annotated[
            str, typer.Option("--seconds", metavar="S", help=words("help.seconds"))
        ] = "1",
        seed: Annotated[
            str | None, typer.Option("--seed", metavar="N", help=words("help.seed"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.play import Play

        return Play(
            words,
            game,
            options=pairs(words, option),
            engines=engine or [],
            seconds=seconds(words, "--seconds", seconds_),
            seed=None if seed is None else whole(words, "--seed", seed, 0, 2**63 - 1),
        ).run()

    @app.command(cls=described, help=words("help.perft"))
    def perft(
        game: Annotated[str, game_name],
        depth: Annotated[
            str, typer.Argument(metavar="DEPTH", help=words("help.depth"), show_default=False)
        ],
        option: Annotated[list[str] | None, option] = None,
        position: Annotated[
            str | None, typer.Option(metavar="TEXT", help=words("help.position"))
        ] = None,
        divide: Annotated[bool, typer.Option("--divide", help=words("help.divide"))] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> None:
        from tavola.cli.perft import count

        number = whole(words, "DEPTH", depth, 0, 30, words("valid.depth"))
        count(words, game, number, options=pairs(words, option), position=position, divide=divide)

    @app.command(cls=described, help=words("help.bench"))
    def bench(
        game: Annotated[str | None, game_name] = None,
        seconds_: Annotated[
            str, typer.Option("--seconds", metavar="S", help=words("help.bench-seconds"))
        ] = "2",
        threads: Annotated[str, threads] = "1",
        lang: Annotated[str | None, lang] = None,
    ) -> None:
        from tavola.cli.bench import measure

        measure(
            words,
            game,
            seconds=seconds(words, "--seconds", seconds_),
            threads=whole(words, "--threads", threads, 1, MAX_THREADS),
        )

    @app.command(cls=described, help=words("help.analyse"))
    def analyse(
        record: Annotated[
            str, typer.Argument(metavar="RECORD", help=words("help.record"), show_default=False)
        ],
        number: Annotated[
            str, typer.Option("--number", metavar="N", help=words("help.number"))
        ] = "1",
        seconds_: Annotated[
            str | None, typer.Option("--seconds", metavar="S", help=words("help.position-seconds"))
        ] = None,
        nodes: Annotated[
            str | None, typer.Option("--nodes", metavar="N", help=words("help.nodes"))
        ] = None,
        threads: Annotated[
            str | None, typer.Option("--threads", metavar="N", help=words("help.all-threads"))
        ] = None,
        seed: Annotated[
            str, typer.Option("--seed", metavar="N", help=words("help.search-seed"))
        ] = "0",
        json: Annotated[
            str | None, typer.Option("--json", metavar="FILE", help=words("help.study"))
        ] = None,
        commented: Annotated[
            str | None, typer.Option("--record", metavar="FILE", help=words("help.commented"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.analyse import Wanted, run

        def count(name: str, given: str | None, least: int, most: int | None) -> int | None:
            return None if given is None else whole(words, name, given, least, most)

        wanted = Wanted(
            path=record,
            number=count("--number", number, 1, None) or 1,
            seconds=None if seconds_ is None else seconds(words, "--seconds", seconds_),
            nodes=count("--nodes", nodes, 1, 2**32 - 1),
            threads=count("--threads", threads, 1, MAX_THREADS),
            seed=count("--seed", seed, 0, 2**63 - 1) or 0,
            json=json,
            record=commented,
        )
        return run(words, wanted)

    @app.command(cls=described, help=words("help.verify"))
    def verify(
        record: Annotated[
            str, typer.Argument(metavar="RECORD", help=words("help.record"), show_default=False)
        ],
        number: Annotated[
            str, typer.Option("--number", metavar="N", help=words("help.number"))
        ] = "1",
        commitment: Annotated[
            str | None, typer.Option("--commitment", metavar="HEX", help=words("help.commitment"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.verify import run

        if commitment is not None and not is_secret(commitment.lower()):
            valid = words("valid.commitment")
            raise UsageError(words, "bad-value", name="--commitment", given=commitment, valid=valid)
        which = whole(words, "--number", number, 1, None)
        return run(words, record, which, commitment)

    @app.command(cls=described, help=words("help.match"))
    def match(
        engines: Annotated[
            list[str],
            typer.Argument(
                metavar="ENGINE...", help=words("help.engines", kinds=kinds), show_default=False
            ),
        ],
        game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help=words("help.game"))],
        option: Annotated[list[str] | None, option] = None,
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=words("help.match-games"))
        ] = "100",
        openings: Annotated[
            str, typer.Option("--openings", metavar="N", help=words("help.openings"))
        ] = "4",
        processes: Annotated[
            str, typer.Option("--processes", "-p", metavar="N", help=words("help.processes"))
        ] = "1",
        seed: Annotated[str, typer.Option(metavar="N", help=words("help.match-seed"))] = "0",
        records: Annotated[
            Path | None, typer.Option(metavar="FILE", help=words("help.records"))
        ] = None,
        resume: Annotated[bool, typer.Option("--resume", help=words("help.resume"))] = False,
        sprt: Annotated[
            str | None, typer.Option(metavar="ELO0,ELO1", help=words("help.sprt"))
        ] = None,
        json: Annotated[str | None, typer.Option(metavar="FILE", help=words("help.json"))] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.match import Contest, test

        return Contest(
            words,
            engines,
            game=game,
            options=pairs(words, option),
            games=whole(words, "--games", games_, 1, 10**9),
            plies=whole(words, "--openings", openings, 0, 1000),
            processes=whole(words, "--processes", processes, 1, 1024),
            seed=whole(words, "--seed", seed, 0, 2**63 - 1),
            records=records,
            summary=json,
            sprt=None if sprt is None else test(words, sprt),
            resume=resume,
        ).run()

    @app.command(cls=described, help=words("help.fit"))
    def fit(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        engine: Annotated[
            str, typer.Option("--engine", metavar="ENGINE", help=words("help.fit-engine"))
        ] = "auto:nodes=200",
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=words("help.fit-games"))
        ] = "1000",
        seed: Annotated[str, typer.Option(metavar="N", help=words("help.fit-seed"))] = "0",
        processes: Annotated[
            str, typer.Option("--processes", "-p", metavar="N", help=words("help.processes"))
        ] = "1",
        output: Annotated[
            Path | None, typer.Option(metavar="FILE", help=words("help.fit-output"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.fit import FEWEST, run

        return run(
            words,
            game,
            options=pairs(words, option),
            engine=engine,
            count=whole(words, "--games", games_, FEWEST, 10**9),
            seed=whole(words, "--seed", seed, 0, 2**63 - 1),
            processes=whole(words, "--processes", processes, 1, 1024),
            output=output,
        )

    @app.command(cls=described, help=words("help.ugi"))
    def ugi(lang: Annotated[str | None, lang] = None) -> int:
        from tavola.ugi import serve

        return serve()

    @app.command(cls=described, help=words("help.version"))
    def version(lang: Annotated[str | None, lang] = None) -> None:
        _version()

    return app


def pairs(words: Translator, given: list[str] | None) -> dict[str, str]:
    """Options given as NAME=VALUE.

    Raises:
        UsageError: If one is not.
    """
    chosen = {}
    for pair in given or []:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(words, "not-a-pair", given=pair)
        chosen[name] = value
    return chosen


def _version() -> None:
    import tavola

    print(f"tavola {tavola.__version__}")
