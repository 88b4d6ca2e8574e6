"""Options of a command, generated from the keyword arguments of a function."""

from __future__ import annotations

import contextlib
import inspect
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_NOT_GIVEN = "none"
_RENAMED = {"n_jobs": "jobs", "jobs": "job-class"}
"""Option names of workload-model parameters, if they differ from the parameter names."""


def parameter_help(function: Callable[..., Any]) -> dict[str, str]:
    """Read the descriptions of a function's parameters from its numpydoc docstring."""
    doc = inspect.getdoc(function) or ""
    section = re.search(r"Parameters\n-+\n(.*?)(?=\n\n\w[^\n]*\n-+\n|\Z)", doc, re.DOTALL)
    found: dict[str, list[str]] = {}
    choices: dict[str, str] = {}
    name = ""
    for line in (section[1] if section else "").splitlines():
        if line and not line.startswith(" "):
            name, _, kind = (part.strip() for part in line.partition(":"))
            found[name] = []
            if listed := re.fullmatch(r"\{(.*)\}", kind):
                choices[name] = " One of " + listed[1].replace('"', "") + "."
        elif name:
            found[name].append(line.strip())
    return {
        name: (" ".join(lines).strip() or _plain(name)) + choices.get(name, "")
        for name, lines in found.items()
    }


def flag_of(name: str) -> str:
    """Name the option for a keyword: ``--first-fit`` for ``first_fit``."""
    return "--" + name.replace("_", "-")


def model_flag_of(parameter: str) -> str:
    """Name the option for a workload model's parameter: ``--jobs`` for ``n_jobs``."""
    return flag_of(_RENAMED.get(parameter, parameter))


def _plain(name: str) -> str:
    """Derive a missing description from the name: ``Number of jobs.`` for ``n_jobs``."""
    words = name.removeprefix("n_").replace("_", " ")
    return f"{'Number of ' if name.startswith('n_') else ''}{words}.".capitalize()


def _written_default(default: Any, flag: str) -> str:
    """Write a default: that of a switch as its option, and a recurring decimal as ``1/3``."""
    if isinstance(default, bool):
        return flag if default else f"--no-{flag[2:]}"
    if isinstance(default, float) and len(str(default)) > 8:
        fraction = Fraction(default).limit_denominator(100)
        return str(fraction if float(fraction) == default else default)
    return str(default)


def keyword_option(parameter: inspect.Parameter, flag: str, description: str) -> inspect.Parameter:
    """Create the option for a keyword; its value is None unless the user gives it."""
    default = parameter.default
    kind: Any = bool if isinstance(default, bool) else str
    declared = f"{flag}/--no-{flag[2:]}" if kind is bool else flag
    if default is not None:
        description += f" Default {_written_default(default, flag)}."
    info = typer.Option(
        declared,
        help=description,
        show_default=False,
        metavar="" if kind is bool else "N" if isinstance(default, int) else "VALUE",
    )
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, info],
    )


def keyword_options(
    function: Callable[..., Any],
    parameters: Iterable[inspect.Parameter],
    flag: Callable[[str], str],
) -> list[inspect.Parameter]:
    """Create options for some keywords of a function; `flag` returns the name of each option."""
    described = parameter_help(function)
    return [keyword_option(p, flag(p.name), described.get(p.name, "")) for p in parameters]


def keyword_values(
    given: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter]
) -> dict[str, Any]:
    """Return the values of the options that the user gave, by keyword."""
    return {
        name: keyword_value(value, parameters[name])
        for name, value in given.items()
        if value is not None
    }


def keyword_value(given: Any, parameter: inspect.Parameter) -> Any:
    """Convert an option's text to a number, or ``none`` to None; return other text unchanged."""
    is_text = isinstance(parameter.default, str) or parameter.annotation == "str | None"
    if not isinstance(given, str) or is_text:
        return given
    if given == _NOT_GIVEN:
        return None
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(given)
    return given
