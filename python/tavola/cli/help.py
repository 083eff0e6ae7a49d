"""The output of `--help`, in every language and at any width."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from tavola.cli.errors import UsageError, nearest
from tavola.cli.locales import Translator
from tavola.cli.parameters import OLD_SPELLINGS
from tavola.engines.spec import EXTERNAL, KINDS


class ExtraArguments(TyperException):
    """A command has more arguments than it takes."""

    def __init__(self, context: typer.Context) -> None:
        super().__init__("extra arguments")
        self.ctx = context


class Group(TyperGroup):
    """The command line as a whole, with help in the reader's language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        _show(ctx.find_root().obj, self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name.

        Raises:
            UsageError: If there is none.
        """
        if args[0] not in self.commands:
            names = list(self.commands)
            raise UsageError(
                ctx.find_root().obj,
                "unknown-command",
                given=args[0],
                valid=", ".join(names),
                nearest=nearest(args[0], names),
            )
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command with help and errors in the reader's language."""

    # The library reports too many arguments by a sentence only: they are allowed and rejected here.
    allow_extra_args = True

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        _show(ctx.find_root().obj, self, ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises:
            ExtraArguments: If there are too many.
        """
        extra = super().parse_args(ctx, args)
        if extra:
            raise ExtraArguments(ctx)
        return extra


def _show(
    translate: Translator, command: TyperGroup | TyperCommand, context: typer.Context
) -> None:
    # Folded, not truncated: Japanese has no spaces for line breaks.
    console = Console(highlight=False, markup=False)
    console.print(f"{translate('help.usage')} {_usage(command, context)}\n", soft_wrap=True)
    console.print(Padding(_help(translate, command), (0, 0, 0, 2)), overflow="fold")
    parameters = command.get_params(context)
    arguments = [found for found in parameters if isinstance(found, TyperArgument)]
    options = [found for found in parameters if isinstance(found, TyperOption)]
    sections = [
        ("help.arguments", [(_name(found), _help(translate, found)) for found in arguments]),
        ("help.options", [_option(translate, found) for found in options]),
    ]
    if isinstance(command, TyperGroup):
        named = [(name, _help(translate, found)) for name, found in command.commands.items()]
        sections.insert(0, ("help.commands", named))
    for heading, rows in sections:
        if rows:
            console.print(f"\n{translate(heading)}", style="bold")
            table = Table.grid(padding=(0, 2), pad_edge=True)
            table.add_column(no_wrap=True)
            table.add_column(overflow="fold")
            for row in rows:
                table.add_row(*row)
            console.print(table)


def _help(translate: Translator, found: Any) -> str:
    """Return the description of a command or a parameter: its `help` is the key."""
    if not found.help:
        return ""
    kinds = ", ".join(kind for kind in KINDS if kind not in ("level", *EXTERNAL))
    return translate(found.help, kinds=kinds)


def _usage(command: TyperGroup | TyperCommand, context: typer.Context) -> str:
    parts = [context.command_path]
    for found in command.get_params(context):
        if isinstance(found, TyperArgument):
            parts.append(_name(found) if found.required else f"[{_name(found)}]")
    if isinstance(command, TyperGroup):
        parts.append("[COMMAND]")
    return " ".join([*parts, "[OPTIONS]"])


def _name(parameter: TyperArgument | TyperOption) -> str:
    return parameter.metavar or str(parameter.name)


def _option(translate: Translator, option: TyperOption) -> tuple[str, str]:
    """Return the spelling of an option and its description."""
    if option.name == "help":
        return ", ".join(sorted(option.opts, key=len)), translate("help.help")
    spelling = ", ".join(sorted(set(option.opts) - OLD_SPELLINGS, key=len))
    if option.secondary_opts:
        spelling += " / " + ", ".join(option.secondary_opts)
    elif not option.is_flag:
        spelling += f" {_name(option)}"
    description = _help(translate, option)
    if option.envvar:
        description += " " + translate("help.environment", name=option.envvar)
    if isinstance(option.default, str | int | float) and not option.is_flag:
        description += " " + translate("help.default", value=option.default)
    return spelling, description
