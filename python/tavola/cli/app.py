"""The command line: runs a command and reports its errors.

`--lang` is a parameter of every command. It is read before all others, so that help and errors are
in that language too.
"""

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, TextIO

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from tavola.cli.commands import COMMANDS
from tavola.cli.commands.admin import ADMIN_COMMANDS
from tavola.cli.commands.version import show_version
from tavola.cli.errors import BadValue, NotAPair, UsageError, nearest
from tavola.cli.exit_codes import FAILED, INTERRUPTED, USAGE_ERROR
from tavola.cli.help import Command, ExtraArguments, Group
from tavola.cli.locales import Translator, requested_language, system_language
from tavola.cli.parameters import OLD_SPELLINGS, GameFiles, Lang
from tavola.errors import GameFailed
from tavola.language import LANGUAGES
from tavola.server.errors import RequestError
from tavola.server.schema.errors import message_for as reason_words


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
    except (BadValue, NotAPair) as fault:
        print(fault.translated(translate), file=sys.stderr)
        return USAGE_ERROR
    except RequestError as error:
        _print_rejection(translate, error)
        return USAGE_ERROR
    except TyperException as error:
        _print_usage_error(translate, error, arguments)
        return USAGE_ERROR
    except GameFailed as error:
        _print_failed_game(translate, error)
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return INTERRUPTED


def _run(translate: Translator, arguments: list[str]) -> int:
    command = build()
    names = list(command.commands)
    first = _first_word(arguments)
    if first is None and not set(arguments) & {"--help", "-h", "--version"}:
        arguments = ["serve", *arguments]
    elif first is not None and first not in names:
        valid = ", ".join(names)
        raise UsageError(
            translate, "unknown-command", given=first, valid=valid, nearest=nearest(first, names)
        )
    result = command.main(arguments, prog_name="tavola", standalone_mode=False, obj=translate)
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


def _print_usage_error(
    translate: Translator, error: TyperException, arguments: Sequence[str]
) -> None:
    """Print a rejection of the library: by its kind and its parameter, not by its words."""
    context = getattr(error, "ctx", None)
    flag = getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    parameters = context.command.params if context else []
    if isinstance(error, ExtraArguments):
        given = " ".join(error.ctx.args)
        message = str(UsageError(translate, "unexpected-argument", given=given))
    elif flag is not None and hasattr(error, "possibilities"):
        known = [name for one in parameters for name in one.opts if name not in OLD_SPELLINGS]
        message = str(
            UsageError(translate, "unknown-flag", given=flag, nearest=nearest(flag, known))
        )
    elif flag is not None:
        has_value = any(argument.startswith(f"{flag}=") for argument in arguments)
        key = "value-unexpected" if has_value else "value-missing"
        message = str(UsageError(translate, key, given=flag))
    elif parameter is not None and hasattr(error, "param_type"):
        flags = [name for name in parameter.opts if name.startswith("-")]
        message = translate("error.missing", name=flags[0] if flags else parameter.metavar)
    else:
        message = str(UsageError(translate, "usage", detail=error.format_message()))
    path = context.command_path if context else "tavola"
    print(translate.join_sentences(message, translate("error.help", command=path)), file=sys.stderr)


def _admin() -> typer.Typer:
    """Return the commands of the host."""
    admin = typer.Typer(cls=Group, add_completion=False)

    @admin.callback(cls=Group, help="help.admin", invoke_without_command=True)
    def everything(context: typer.Context, lang: Lang = None) -> None:
        if context.invoked_subcommand is None:
            context.get_help()

    for command in ADMIN_COMMANDS:
        name = command.__name__.replace("_", "-")
        admin.command(name, cls=Command, help=f"help.admin.{name}")(command)
    return admin


def build() -> TyperGroup:
    """Return the command line with all its commands."""
    app = typer.Typer(
        cls=Group,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(cls=Group, help="app", invoke_without_command=True)
    def everything(
        game: GameFiles = None,
        lang: Lang = None,
        version: Annotated[bool, typer.Option("--version", help="help.version")] = False,
    ) -> None:
        if version:
            show_version()
            raise typer.Exit

    for command in COMMANDS:
        app.command(cls=Command, help=f"help.{command.__name__}")(command)
    app.add_typer(_admin(), name="admin")
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group
