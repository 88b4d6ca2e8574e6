"""Writes the tables of options into the documents; ``make docs`` runs it.

A table of options is between ``<!-- options: slotwise COMMAND -->`` and ``<!-- end -->``. The list
of formats is between ``<!-- formats -->`` and ``<!-- end -->``, and the matrix of machines and
features between ``<!-- machines -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from feature_matrix import matrix

import slotwise as sw
from slotwise.formats.registry import formats

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "examples" / "slurm" / "README.md",
        *(ROOT / "docs").rglob("*.md"),
    )
    if path.exists()
)
TABLE = re.compile(
    r"(^<!-- options: slotwise ([a-z-]+(?: [a-z-]+)*) -->\n).*?(^<!-- end -->\n)",
    re.MULTILINE | re.DOTALL,
)
MACHINES = re.compile(r"(^<!-- machines -->\n).*?(^<!-- end -->\n)", re.MULTILINE | re.DOTALL)
FORMATS = re.compile(r"(^<!-- formats -->\n).*?(^<!-- end -->\n)", re.MULTILINE | re.DOTALL)


def command_at(words: list[str]) -> Any:
    """Return the command named by these words."""
    import typer

    from slotwise.cli.signatures.main import app

    command = typer.main.get_command(app)
    for word in words:
        command = command.get_command(None, word)  # type: ignore[attr-defined]
    return command


def options_table(words: list[str]) -> str:
    """Return a table of a command's arguments and options, one per row, as in its ``--help``."""
    rows = ["| argument or option | |", "|---|---|"]
    for parameter in command_at(words).params:
        if getattr(parameter, "hidden", False):
            continue
        is_argument = parameter.param_type_name == "argument"
        names = [] if is_argument else [*parameter.opts, *parameter.secondary_opts]
        value = (parameter.metavar or "").strip("{}")
        shown = " ".join(part for part in (" / ".join(names), value) if part)
        text = " ".join((parameter.help or "").split()).replace("|", "\\|")
        for known in (sw.orders(), sw.backfills()):
            # A page does not list registered names, so a new policy does not change it.
            names = ", ".join(info.name for info in known)
            text = text.replace(names, "a name listed by `policies`")
        rows.append(f"| `{shown}` | {text} |")
    return "\n".join(rows) + "\n"


def formats_table() -> str:
    """List the formats of job logs, one per row, with the evidence that each is read correctly."""
    rows = ["| `--format` | log | reader based on | notes |", "|---|---|---|---|"]
    rows += [
        f"| `{each.name}` | {each.title} | {each.evidence} | {each.notes} |"
        for each in formats().values()
    ]
    return "\n".join(rows) + "\n"


def with_tables(text: str) -> str:
    """Replace the tables in a page with those of the program."""
    text = FORMATS.sub(lambda m: f"{m[1]}{formats_table()}{m[2]}", text)
    text = MACHINES.sub(lambda m: f"{m[1]}{matrix()}{m[2]}", text)
    return TABLE.sub(lambda m: f"{m[1]}{options_table(m[2].split())}{m[3]}", text)


def verbs_of(command: Any, words: str = "") -> list[str]:
    """Name a command and its subcommands that can be run, such as ``sweep merge``."""
    if not hasattr(command, "list_commands"):
        return [words.strip()]
    own = [words.strip()] if command.invoke_without_command else []
    return own + [
        verb
        for name in command.list_commands(None)
        for verb in verbs_of(command.get_command(None, name), f"{words} {name}")
    ]


if __name__ == "__main__":
    for changed in PAGES:
        changed.write_text(with_tables(changed.read_text(encoding="utf-8")), encoding="utf-8")
