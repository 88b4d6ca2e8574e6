"""``slotwise study priority checkpoint``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from slotwise.advice.checkpoints import best_checkpoint, daly, young
from slotwise.advice.refunds import Failures, RefundedJob
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


def advise_checkpoint(given: Mapping[str, str], *, as_json: bool) -> None:
    """Print the best time for a job's checkpoint, and whether the checkpoint is worth its cost.

    Parameters
    ----------
    given : mapping of str to str
        Strings as typed: ``hours``, ``cost``, ``nodes``, ``refund``, ``shape``, ``scale``.
    as_json : bool
    """
    numbers = {name: _number(name, text) for name, text in given.items()}
    try:
        job = RefundedJob(
            numbers["hours"], numbers["cost"], int(numbers["nodes"]), numbers["refund"]
        )
        law = Failures(numbers["shape"], numbers["scale"])
    except ValueError as fault:
        raise UsageError(str(fault)) from None
    advice = best_checkpoint(job, law)
    plain = {
        "worth_it": advice.worth_it,
        "checkpoint": advice.checkpoint,
        "loss_with": advice.loss_with,
        "loss_without": advice.loss_without,
        "young": young(job.checkpoint_hours, law) if job.checkpoint_hours else math.nan,
        "daly": daly(job.checkpoint_hours, law) if job.checkpoint_hours else math.nan,
    }
    if as_json:
        screen.print_json(plain)
        return
    console = screen.stdout()
    if math.isnan(advice.checkpoint):
        console.print(
            "Do not write a checkpoint: the refund already covers the work that it would save. The "
            f"expected cost is {advice.loss_without:.2f} h."
        )
        return
    verdict = "Write a checkpoint" if advice.worth_it else "Do not write a checkpoint"
    console.print(
        f"{verdict}: the expected cost is {advice.loss_with:.2f} h with a checkpoint that is "
        f"complete after {advice.checkpoint:.2f} h, and {advice.loss_without:.2f} h without one."
    )
    if job.checkpoint_hours:
        console.print(
            f"For comparison, periodic checkpoints without a refund: every {plain['young']:.2f} h "
            f"(Young), {plain['daly']:.2f} h (Daly)."
        )


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    whole = name != "nodes" or number == math.floor(number if math.isfinite(number) else 0.5)
    if not math.isfinite(number) or not whole:
        kind = "a whole number" if name == "nodes" else "a number"
        raise UsageError(f"--{name} {text} must be {kind}")
    return number
