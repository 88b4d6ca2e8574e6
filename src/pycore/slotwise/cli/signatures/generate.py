"""``slotwise generate``: one command per workload model, with one option per parameter."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.cli.keywords import keyword_options, keyword_values, model_flag_of
from slotwise.generators import models
from slotwise.terminal.parameters import with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.generators import ModelInfo

generate_app = typer.Typer(
    name="generate",
    help="Generate a trace from a workload model: slotwise generate MODEL OUT.",
    no_args_is_help=True,
)


def _command(model: ModelInfo) -> Callable[..., None]:
    own = dict(inspect.signature(model.function).parameters)

    def command(**values: Any) -> None:
        out = values.pop("out")
        from slotwise.cli.commands.generate import generate_trace

        generate_trace(model, out, keyword_values(values, own))

    out = inspect.Parameter(
        "out",
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[
            Path,
            typer.Argument(
                metavar="OUT", readable=False, help="Output: .swf, .swf.gz, .csv or .parquet."
            ),
        ],
    )
    parameters = [out, *keyword_options(model.function, own.values(), model_flag_of)]
    doc = f"{model.doc}\n\n{model.reference}."
    return with_parameters(command, parameters, name=model.name, doc=doc)


for _model in models():
    generate_app.command(_model.name)(_command(_model))
