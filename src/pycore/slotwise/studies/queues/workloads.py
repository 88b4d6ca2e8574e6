"""Logs of the study, each with its months and its initial queues."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.advice.queue_design.history import months_of
from slotwise.formats.swf import read_swf
from slotwise.generators.serc import serc
from slotwise.studies.logs import log_path
from slotwise.studies.queues.sites import derive_queues, table_i

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.advice.queue_design.history import Month
    from slotwise.site import Site
    from slotwise.trace import Trace

LOGS = {
    "curie": "CEA-Curie-2011-2.1-cln.swf.gz",
    "blue": "SDSC-BLUE-2000-4.2-cln.swf.gz",
}


@dataclass(frozen=True)
class Workload:
    """A log, its months, and its initial queues."""

    trace: Trace
    base: Site
    months: Sequence[Month]


@lru_cache(maxsize=4)
def workload_of(name: str, seed: int, load: float | None, traces: str | None) -> Workload:
    """Return a workload; the seed and the load affect only `serc`.

    Raises
    ------
    ValueError
        If `load` is given for a real log, `name` is neither a workload nor a file, or the log
        covers fewer than two whole months.
    TraceError
        For a log that cannot be found or read.
    """
    if name == "serc":
        trace = serc(seed=seed) if load is None else serc(seed=seed, load=load)
        return Workload(trace, table_i(), months_of(trace))
    if load is not None:
        raise ValueError(
            f"load={load}: only the serc workload can be generated at a given load; omit the load "
            "for a real log"
        )
    if name not in LOGS and not Path(name).is_file():
        raise ValueError(
            f"workload={name!r}: not a file; use serc, {', '.join(LOGS)} or the path of a log"
        )
    trace = read_swf(log_path(LOGS[name], traces) if name in LOGS else name)
    months = months_of(trace)
    if len(months) < 2:
        raise ValueError(
            f"workload={name!r}: the log covers only {len(months)} of the two whole months that "
            "the study needs, one for decisions and one to judge them; use a longer log"
        )
    return Workload(trace, derive_queues(trace), months)
