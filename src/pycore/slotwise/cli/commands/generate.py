"""``slotwise generate``."""

from __future__ import annotations

import inspect
import re
import time
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.cli.keywords import model_flag_of
from slotwise.formats.job_files import JOB_SUFFIXES, kind_of, write_trace
from slotwise.formats.losses import lost_in
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_output, check_parquet, warn_of_lost_demands

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.generators import ModelInfo


def generate_trace(model: ModelInfo, out: Path, options: dict[str, Any]) -> None:
    """Generate a trace, write it, and print its size."""
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
    if (trace.gpus >= 0).any() and "gpus" in lost_in(trace, kind_of(out)):
        screen.warn(
            f"{out} does not contain the jobs' GPUs, because SWF has no column for them; write a "
            ".csv or .parquet file to keep them"
        )
    span = float(trace.submit[-1] - trace.submit[0])
    took = text.took(seconds)
    screen.stdout().print(
        f"{text.plural(len(trace), 'job')} over {text.duration(span)} for "
        f"{text.plural(trace.max_processors or 0, 'processor')}, generated in {took}, "
        f"written to {out}",
        markup=False,
        soft_wrap=True,
    )


def _in_options(message: str, model: ModelInfo) -> str:
    """Reword a message to name options as they are typed: ``--jobs 0`` for ``n_jobs=0``."""
    for name in inspect.signature(model.function).parameters:
        message = re.sub(rf"\b{name}=", f"{model_flag_of(name)} ", message)
        message = re.sub(rf"^{name}:", f"{model_flag_of(name)}:", message)
    return message
