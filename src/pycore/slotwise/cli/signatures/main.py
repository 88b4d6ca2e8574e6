"""The command line: one command per module of this package.

For example, a ``greet`` module would have a ``greet`` function, or a ``greet_app`` group of
subcommands. ``--help`` reads each command's help line from source text, because importing the
modules takes longer.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from slotwise.cli.plain_values import convert_plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST = (
    "run", "compare", "info", "formats", "convert", "generate", "explain", "advise", "sweep",
    "site", "study", "policies",
)  # fmt: skip
"""Commands that ``--help`` lists first; all other commands follow alphabetically."""

_STRINGS = re.compile(r'(?:\s*"[^"\n]*")+')


class LazyVerbs(TyperGroup):
    """A group that imports a command only when it is run."""

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands in the order of ``--help``."""
        return verbs()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name, or return None if there is none."""
        if cmd_name not in self.commands and cmd_name in verbs():
            self.commands[cmd_name] = command_of(cmd_name)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help without importing the commands."""
        with self._not_imported():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete the name of a command without importing any."""
        with self._not_imported():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _not_imported(self) -> Iterator[None]:
        """Inside the block, replace each command with a stub that has only its help line."""
        imported = self.commands
        self.commands = {verb: TyperCommand(verb, help=help_line(verb)) for verb in verbs()}
        try:
            yield
        finally:
            self.commands = imported


_SETTINGS: dict[str, Any] = {
    "rich_markup_mode": "rich",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(
    name="slotwise",
    cls=LazyVerbs,
    help="Replay a job log under another scheduling configuration, and see what would have "
    "happened.",
    epilog="Exit codes: 0 done, 1 replay failed, 2 usage or site error, 3 trace refused, "
    "4 regression found, 130 interrupted.",
    no_args_is_help=True,
    **_SETTINGS,
)


def _version(asked: bool) -> None:
    if asked:
        from slotwise._version import __version__
        from slotwise.terminal import screen

        screen.write(f"slotwise {__version__}\n")
        raise typer.Exit


@app.callback()
def slotwise(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Replay a job log under another scheduling configuration, and see what would have happened."""


@functools.cache
def verbs() -> list[str]:
    """List the modules of this package that are commands, in the order of ``--help``."""
    found = {module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])}
    found.discard("main")
    return [*_FIRST, *sorted(found - set(_FIRST))]


def help_line(verb: str) -> str:
    """Read a command's help line from the source of its module.

    The line is the start of the function's docstring, or the `help` of a group. A module that has
    neither is imported.
    """
    source = Path(__file__).with_name(f"{verb}.py").read_text(encoding="utf-8")
    _, function, body = source.partition(f"\ndef {verb}(")
    if function and body.count('"""') > 1:
        return first_line(body.split('"""')[1])
    given = source.partition(f"\n{verb}_app = ")[2].partition("help=")[2]
    if strings := _STRINGS.match(given):
        return first_line("".join(strings[0].split('"')[1::2]))
    return first_line(command_of(verb).help or "")


def first_line(text: str) -> str:
    """Return the first paragraph of a command's help as one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def command_of(verb: str) -> Any:
    """Import a command's module, and create the command or its group of subcommands."""
    module = importlib.import_module(f"slotwise.cli.signatures.{verb}")
    group = getattr(module, f"{verb}_app", None)
    alone = typer.Typer(**_SETTINGS)
    if group is None:
        alone.command(verb)(getattr(module, verb))
    else:
        alone.add_typer(group)
    command = typer.main.get_group(alone).commands[verb]
    convert_plainly(command)
    return command
