"""The command line: one verb per module of this package.

A module ``greet`` has a function ``greet``, or a group of verbs ``greet_app``. A new module needs
no other edit: verbs that `_ORDER` does not name come last in ``--help``.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

_ORDER = (
    "run",
    "compare",
    "info",
    "formats",
    "convert",
    "generate",
    "explain",
    "advise",
    "sweep",
    "site",
    "study",
    "policies",
)
"""Verbs in the order of ``--help``: those a newcomer needs first come first."""


class VerbsInOrder(TyperGroup):
    """Lists verbs as they were added; typer itself puts groups behind commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the verbs in the order of ``--help``."""
        return list(dict.fromkeys((*verbs(), *self.commands)))


app = typer.Typer(
    name="slotwise",
    cls=VerbsInOrder,
    help="Replay a job log under another scheduling configuration, and see what would have "
    "happened.",
    epilog="Exit codes: 0 done, 1 the replay failed, 2 usage or site, 3 trace refused, "
    "4 regression found, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
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


def verbs() -> list[str]:
    """List the modules of this package that are verbs, in the order of ``--help``."""
    found = {module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])}
    found.discard("main")
    return [*_ORDER, *sorted(found - set(_ORDER))]


def _add_verbs() -> None:
    for verb in verbs():
        module = importlib.import_module(f"slotwise.cli.signatures.{verb}")
        group = getattr(module, f"{verb}_app", None)
        if group is None:
            app.command(verb)(getattr(module, verb))
        else:
            app.add_typer(group)


_add_verbs()
