"""Conversion of strings, paths and flags without pydantic, whose import takes as long as a replay.

typer builds a pydantic adapter for every option. This package's options are strings, paths and
flags, which need none. With a typer release that has no adapters, nothing is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args


class PlainValue:
    """Converts the words typed for one option, as a typer adapter does."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of the option. If the user omits it, return None or an empty tuple."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        words = get_args(self.kind)
        return [words[0](word) for word in value] if words else self.kind(value)


_PLAIN = (str, Path, bool, list[str], list[Path])


def convert_plainly(command: Any) -> None:
    """Convert the options of a command, and of its subcommands, without pydantic."""
    for parameter in command.params:
        _make_plain(parameter)
    make_help_option = command.get_help_option

    def get_help_option(context: Any) -> Any:
        option = make_help_option(context)
        _make_plain(option)
        return option

    command.get_help_option = get_help_option
    for verb in getattr(command, "commands", {}).values():
        convert_plainly(verb)


def _make_plain(parameter: Any) -> None:
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    if kind in _PLAIN and hasattr(parameter, "_runtime_param"):
        parameter._runtime_param = PlainValue(kind)
