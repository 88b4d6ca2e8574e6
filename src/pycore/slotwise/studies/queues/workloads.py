"""The logs the study runs on, and the queues each starts from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from slotwise.advice.queue_design.history import months_of
from slotwise.advice.queue_design.parameters import DAY
from slotwise.formats.swf import read_swf
from slotwise.generators.serc import serc
from slotwise.generators.serc_months import MACHINE, QUEUES, TABLE_I
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts import Queue
from slotwise.studies.logs import log_path
from slotwise.studies.queues.derive import derive_queues
from slotwise.studies.queues.rolling import Workload

LOGS = {
    "curie": "CEA-Curie-2011-2.1-cln.swf.gz",
    "blue": "SDSC-BLUE-2000-4.2-cln.swf.gz",
}


def table_i() -> Site:
    """Return the CPU queues of Table I; priorities 1 to 5 from idqueue to large are ours."""
    return Site(
        Processors(MACHINE),
        queues=[
            Queue(
                name,
                processors=(TABLE_I[name].fewest, TABLE_I[name].most),
                walltime=(TABLE_I[name].above, TABLE_I[name].longest),
                priority=k,
                starvation=DAY,
                spanning=name == "large",
            )
            for k, name in enumerate(QUEUES, 1)
        ],
    )


@lru_cache(maxsize=4)
def workload_of(name: str, seed: int, load: float | None, traces: str | None) -> Workload:
    """Return a workload; the seed and the load are of `serc` alone.

    Raises
    ------
    ValueError
        For a load with a real log, and a name that is no workload and no file.
    TraceError
        For a log that is not found, or covers less than two months.
    """
    if name == "serc":
        trace = serc(seed=seed) if load is None else serc(seed=seed, load=load)
        return Workload(trace, table_i(), months_of(trace))
    if load is not None:
        raise ValueError(f"load={load}: it is of workload serc; leave it out for a real log")
    if name not in LOGS and not Path(name).is_file():
        raise ValueError(
            f"workload={name!r}: it is neither serc nor {' nor '.join(LOGS)}, and no file"
        )
    trace = read_swf(log_path(LOGS[name], traces) if name in LOGS else name)
    months = months_of(trace)
    if len(months) < 2:
        raise ValueError(
            f"workload={name!r}: the log covers only {len(months)} of the two whole months the "
            "study needs, one to learn from and one to be judged by"
        )
    return Workload(trace, derive_queues(trace), months)
