"""The command line: one command per module of this package.

A ``greet`` module has a ``greet`` function, or a ``greet_app`` group of subcommands. `_HELP` gives
the position of each command in ``--help``. A command that `_HELP` lacks comes last, and ``--help``
must import its module.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from slotwise.cli.plain_values import convert_plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

_HELP = {
    "run": "Replay TRACE under one site and print waits, utilisation and slowdowns.",
    "compare": "Replay TRACE under several sites and print the difference in wait, then metrics "
    "side by side.",
    "info": "Describe TRACE: jobs, machine, load, users, estimates, and repairs made while "
    "reading.",
    "formats": "List the formats of job logs that can be read.",
    "convert": "Write the trace IN to OUT, repaired and sorted; the suffix of OUT selects the "
    "format.",
    "generate": "Generate a trace from a workload model: slotwise generate MODEL OUT.",
    "explain": "Explain why a job in TRACE waited: reasons and blocking jobs.",
    "advise": "Estimate when a job would start, for each number of cores and walltime, cheapest "
    "first.",
    "sweep": "Replay a trace at every point of a grid of sites: slotwise sweep GRID.toml.",
    "site": "Check, print or create a site file.",
    "study": "Repeat a published experiment and compare our figures with the paper's: "
    "slotwise study NAME.",
    "policies": "List the orders, backfills and presets.",
}
"""Commands in the order of ``--help``, those for newcomers first, each with its line of help.

A command is imported when it is run. With this table, ``slotwise --help`` imports none of them.
"""


class LazyVerbs(TyperGroup):
    """Group that imports a command when it is run, and lists commands in the order of `_HELP`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the commands in the order of ``--help``."""
        return verbs()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name; None if there is none."""
        if cmd_name not in self.commands and cmd_name in verbs():
            self.commands[cmd_name] = command_of(cmd_name)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help without importing the commands of `_HELP`."""
        with self._not_imported():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete the name of a command without importing those of `_HELP`."""
        with self._not_imported():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _not_imported(self) -> Iterator[None]:
        """Inside the block, replace each command of `_HELP` with its line of help."""
        imported = self.commands
        self.commands = {name: TyperCommand(name, help=line) for name, line in _HELP.items()}
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
    epilog="Exit codes: 0 done, 1 replay failed, 2 wrong usage or site, 3 trace refused, "
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
    return [*_HELP, *sorted(found - set(_HELP))]


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
