"""``--format`` and ``--zone``, which set how a trace is read, for every command that reads one."""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.terminal.parameters import with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

_PANEL = "Trace and site"
_LOGS = ("trace", "source", "log")
"""Command parameters that name logs; ``-`` is standard input."""


def _format_names() -> list[str]:
    from slotwise.formats.registry import formats

    return sorted(formats())


FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        autocompletion=_format_names,
        help="Format of the trace (see slotwise formats). Default: detected from its first lines.",
        rich_help_panel=_PANEL,
    ),
]
ZoneOption = Annotated[
    str | None,
    typer.Option(
        "--zone",
        metavar="ZONE",
        help="Time zone, such as Europe/Stockholm, for times written without one. Default: the "
        "zone of the format if it has one, otherwise UTC.",
        rich_help_panel=_PANEL,
    ),
]


def reads_trace(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with ``--format`` and ``--zone``, which takes ``-`` as standard input."""
    own = inspect.signature(command, eval_str=True)

    def wrapper(**values: Any) -> None:
        from slotwise.terminal.standard_input import DASH, standard_input_as_file
        from slotwise.terminal.trace_argument import reading_as

        with ExitStack() as opened:
            for name in _LOGS:
                if values.get(name) == DASH:
                    values[name] = opened.enter_context(standard_input_as_file())
            opened.enter_context(reading_as(values.pop("format"), values.pop("zone")))
            command(**values)

    kind = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter("format", kind, default=None, annotation=FormatOption),
        inspect.Parameter("zone", kind, default=None, annotation=ZoneOption),
    ]
    parameters = [*(p.replace(kind=kind) for p in own.parameters.values()), *added]
    return with_parameters(wrapper, parameters, name=command.__name__, doc=command.__doc__)
