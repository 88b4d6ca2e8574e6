"""Finds jobs above a limit of their partition; Slurm rejects them or leaves them pending forever.

Example: a job of 2 days in a partition with ``MaxTime=30``. Under ``EnforcePartLimits=ALL``, Slurm
rejects it. Under ``NO``, Slurm accepts it but leaves it pending with the reason PartitionTimeLimit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import slurm_exceeded
from slotwise.replay.to_core import core_site
from slotwise.replay.warnings.slurm import slurm_parameters
from slotwise.site.parts.times import seconds_of, written_duration
from slotwise.text import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace

REASONS = ("", "PartitionTimeLimit", "PartitionNodeLimit")
"""Slurm's names for the limits; `exceeded_part_limits` returns positions in this tuple."""


def exceeded_part_limits(trace: Trace, site: Site, processors: int) -> NDArray[np.uint8]:
    """Return the limit that keeps each job from ever starting, as a position in `REASONS`.

    The result is 0 for jobs that may start. It is 0 for all jobs unless the site follows Slurm's
    rules and has queues.
    """
    if not site.queues or not slurm_parameters(site):
        return np.zeros(len(trace), dtype=np.uint8)
    return slurm_exceeded(trace._jobs, core_site(site, trace, processors))


def rejects_at_limits(site: Site) -> bool:
    """Return True if jobs above a limit are rejected, and False if they stay pending."""
    values = slurm_parameters(site)
    return bool(values) and values["enforce_part_limits"] != "no"


def limit_in_words(trace: Trace, site: Site, row: int, limit: int, queue: int) -> str:
    """Explain how a job exceeds a limit of its queue, with Slurm's name for the limit."""
    part, name = site.queues[max(queue, 0)], REASONS[limit]
    if name == "PartitionNodeLimit":
        most = plural(int(part.nodes_per_job[1] or 0), "node")
        return f"it requests more nodes than the {most} that queue {part.name} allows ({name})"
    asked = int(trace.requested_time[row])
    if not trace.has_request[row]:
        asked = max(asked, seconds_of(part.default_walltime or 0))
    most = written_duration(seconds_of(part.walltime[1] or 0))
    return f"it requests {written_duration(asked)}, but queue {part.name} allows {most} ({name})"
