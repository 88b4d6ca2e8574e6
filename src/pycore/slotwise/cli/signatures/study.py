"""``slotwise study``: one group per study, with the subcommands that the study adds."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.cli.keywords import flag_of, keyword_options, keyword_values
from slotwise.studies.registry import studies
from slotwise.terminal.parameters import with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.studies.study import StudyInfo

study_app = typer.Typer(
    name="study",
    help="Repeat a published experiment and compare the results with the paper's: "
    "slotwise study NAME.",
    no_args_is_help=True,
)

_QUICK = Annotated[
    bool,
    typer.Option(
        "--quick",
        metavar="",
        help="Run a small version that takes at most a minute on two cores.",
    ),
]
_COMMON: dict[str, tuple[Any, Any]] = {
    "out": (
        Annotated[
            Path | None,
            typer.Option(
                "--out",
                readable=False,
                metavar="DIR",
                help="Write rows.json, rows.csv and the charts to this folder.",
            ),
        ],
        None,
    ),
    "json": (
        Annotated[
            bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")
        ],
        False,
    ),
    "workers": (
        Annotated[
            str | None,
            typer.Option(
                "--workers",
                metavar="N",
                help="Number of results to compute in parallel. Default: one per available "
                "processor.",
            ),
        ],
        None,
    ),
    "cache": (
        Annotated[
            Path | None,
            typer.Option(
                "--cache",
                readable=False,
                metavar="DIR",
                help="Folder that stores finished results, so that a later run can resume. "
                "Default: ~/.cache/slotwise/studies.",
            ),
        ],
        None,
    ),
    "fresh": (
        Annotated[
            bool,
            typer.Option(
                "--fresh", metavar="", help="Recompute every result, and do not store any."
            ),
        ],
        False,
    ),
}


def _common_options(info: StudyInfo) -> dict[str, tuple[Any, Any]]:
    """Return the options that every study has, each with its default."""
    seeds = typer.Option(
        "--seeds",
        metavar="N",
        help=f"Use seeds 1 to N. Default: {info.seeds}, or {info.quick_seeds} with --quick.",
    )
    return {"quick": (_QUICK, False), "seeds": (Annotated[str | None, seeds], None), **_COMMON}


def _command(info: StudyInfo) -> Callable[..., None]:
    own = info.parameters
    options = _common_options(info)

    def command(ctx: typer.Context, **values: Any) -> None:
        if ctx.invoked_subcommand is not None:
            return
        from slotwise.cli.commands.study import StudyRequest, run_request

        common = {name: values.pop(name) for name in options}
        run_request(StudyRequest(info, options=keyword_values(values, own), **common))

    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("ctx", kind, annotation=typer.Context),
        *(
            inspect.Parameter(name, kind, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ),
        *keyword_options(info.function, own.values(), flag_of),
    ]
    doc = f"{info.doc}\n\n{info.paper}."
    return with_parameters(command, parameters, name=info.name, doc=doc)


def add_study(app: typer.Typer, info: StudyInfo) -> None:
    """Add a study's group: its own command, and any commands in its ``commands`` module."""
    group = _verbs(info.package)
    group.callback(invoke_without_command=True)(_command(info))
    app.add_typer(group, name=info.name)


def _verbs(package: str) -> typer.Typer:
    """Return ``verbs`` from the ``commands`` module in a study's folder, or an empty group."""
    path = getattr(sys.modules.get(package), "__path__", None)
    if path is None or importlib.util.find_spec(f"{package}.commands") is None:
        return typer.Typer()
    verbs: typer.Typer = importlib.import_module(f"{package}.commands").verbs
    return verbs


for _info in studies():
    add_study(study_app, _info)
