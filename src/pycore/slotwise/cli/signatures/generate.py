"""``slotwise generate``: one command a workload model, its options those of the model."""

from __future__ import annotations

import inspect
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.cli import keywords
from slotwise.cli.keywords import keyword_option, keyword_value, parameter_help
from slotwise.generators import models

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.generators import ModelInfo

_RENAMED = {"n_jobs": "jobs", "jobs": "job-class"}

generate_app = typer.Typer(
    name="generate",
    help="Draw a trace from a workload model: slotwise generate MODEL OUT.",
    no_args_is_help=True,
)


def flag_of(parameter: str) -> str:
    """Give the option of a model's parameter: ``--jobs`` for ``n_jobs``."""
    return keywords.flag_of(_RENAMED.get(parameter, parameter))


def _command(model: ModelInfo) -> Callable[..., None]:
    descriptions = parameter_help(model.function)
    own = dict(inspect.signature(model.function).parameters)

    def command(**values: Any) -> None:
        out = values.pop("out")
        chosen = {
            name: keyword_value(value, own[name])
            for name, value in values.items()
            if value is not None
        }
        generate_trace(model, out, chosen)

    out = inspect.Parameter(
        "out",
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[
            Path,
            typer.Argument(
                metavar="OUT", readable=False, help="A .swf, .swf.gz, .csv or .parquet file."
            ),
        ],
    )
    parameters = [
        out,
        *(keyword_option(p, flag_of(p.name), descriptions.get(p.name, "")) for p in own.values()),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__doc__ = f"{model.doc}\n\n{model.reference}."
    return command


for _model in models():
    generate_app.command(_model.name)(_command(_model))


def generate_trace(model: ModelInfo, out: Path, options: dict[str, Any]) -> None:
    """Draw, write, and say what was drawn."""
    from slotwise import text
    from slotwise.formats.job_files import JOB_SUFFIXES, write_trace
    from slotwise.terminal import screen
    from slotwise.terminal.exits import UsageError
    from slotwise.terminal.outputs import check_output, check_parquet, warn_of_lost_demands

    check_output(out, "OUT", JOB_SUFFIXES)
    check_parquet(out)
    begun = time.perf_counter()
    try:
        trace = model.function(**options)
    except ValueError as fault:
        raise UsageError(_in_options(str(fault), model)) from None
    seconds = time.perf_counter() - begun
    write_trace(trace, out)
    warn_of_lost_demands(trace, out)
    span = float(trace.submit[-1] - trace.submit[0])
    screen.stdout().print(
        f"{text.plural(len(trace), 'job')} over {text.duration(span)} for "
        f"{text.plural(trace.max_processors or 0, 'processor')}, drawn in {text.took(seconds)}, "
        f"written to {out}",
        markup=False,
        soft_wrap=True,
    )


def _in_options(message: str, model: ModelInfo) -> str:
    """Name options as they are typed: ``--jobs 0`` where the model says ``n_jobs=0``."""
    for name in inspect.signature(model.function).parameters:
        message = re.sub(rf"\b{name}=", f"{flag_of(name)} ", message)
        message = re.sub(rf"^{name}:", f"{flag_of(name)}:", message)
    return message
