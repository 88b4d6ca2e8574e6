"""The Kraken priority formula: what a user gains by it, and which weights serve the machine.

After M. D. Vanderlan, *Analyzing supercomputer utilization under queuing with a priority formula
and a strict backfill policy*, University of Tennessee 2011, here "the thesis".
"""

from __future__ import annotations

from slotwise.studies.priority.checkpoints import Advice, best_checkpoint, daly, young
from slotwise.studies.priority.formula import (
    QueuedJob,
    Weights,
    catch_up,
    crossing,
    head_start,
    priority,
    priority_at_submit,
)
from slotwise.studies.priority.refunds import Failures, RefundedJob, expected_loss

__all__ = [
    "Advice",
    "Failures",
    "QueuedJob",
    "RefundedJob",
    "Weights",
    "best_checkpoint",
    "catch_up",
    "crossing",
    "daly",
    "expected_loss",
    "head_start",
    "priority",
    "priority_at_submit",
    "young",
]
