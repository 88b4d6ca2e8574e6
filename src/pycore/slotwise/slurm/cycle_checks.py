"""Checks on the state passed to `slotwise.slurm.cycle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import name_of
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

_RUNNING = ("start", "limit", "queue", "processors", "nodes_first", "nodes")
_WAITING = ("priority", "submit", "job", "limit", "queue", "nodes", "processors")
_TEXTS = ("feature", "user", "group", "account", "qos")
_SCHEDULERS = ("backfill", "main")


def check_state(
    policy: object, scheduler: object, now: object, running: Mapping[str, Any],
    waiting: Mapping[str, Any], n_queues: int,
) -> None:  # fmt: skip
    """Refuse a state that Slurm could not be in.

    Raises
    ------
    ValueError
        If an argument or column is wrong; the message names the first such value and the rule that
        it breaks.
    """
    if scheduler not in _SCHEDULERS:
        raise ValueError(f"scheduler {shown(scheduler)}: it must be 'backfill' or 'main'")
    if isinstance(now, bool) or not isinstance(now, int | np.integer):
        raise ValueError(f"now {shown(now)} must be a whole number of seconds")
    if not isinstance(policy, Policy) or name_of(policy.backfill) != "slurm":
        raise ValueError(
            "policy: its backfill must be 'slurm'; use "
            "sw.Policy.preset('slurm', version='25.11') with your settings"
        )
    _check_columns("running", running, _RUNNING)
    _check_columns("waiting", waiting, _WAITING)
    first, n_nodes = np.asarray(running["nodes_first"]), len(running["nodes"])
    if first[0] != 0 or first[-1] != n_nodes or (np.diff(first) < 0).any():
        raise ValueError(
            f"running: nodes_first must ascend from 0 to {n_nodes}, the number of entries in nodes"
        )
    for which, jobs in (("running", running), ("waiting", waiting)):
        _check_range(which, "queue", jobs["queue"], n_queues - 1)
        _check_range(which, "limit", jobs["limit"])


def _check_columns(which: str, jobs: Mapping[str, Any], needed: tuple[str, ...]) -> None:
    """Refuse missing columns, columns of the wrong length, and values other than whole numbers."""
    missing = [name for name in needed if name not in jobs]
    if missing:
        raise ValueError(
            f"{which} has no column {', '.join(missing)}; it needs {', '.join(needed)}"
        )
    n_jobs = len(jobs["limit"])
    for name, values in jobs.items():
        length = n_jobs
        if which == "running":
            length = {
                "nodes_first": n_jobs + 1,
                "nodes": len(jobs["nodes"]),
                "node_processors": len(jobs["nodes"]),
            }.get(name, n_jobs)
        if values is None:
            continue
        if len(values) != length:
            raise ValueError(
                f"{which}: {name} has {len(values)} entries, but {length} are needed, because the "
                f"column limit has {n_jobs}, one per job"
            )
        kind = np.asarray(values).dtype.kind
        if length and name not in _TEXTS and kind not in "iub":
            raise ValueError(f"{which}: {name} must contain whole numbers")


def _check_range(which: str, name: str, values: Any, most: int | None = None) -> None:
    array = np.asarray(values)
    wrong = np.flatnonzero((array < 0) | (array > (array if most is None else most)))
    if not len(wrong):
        return
    bounds = "at least 0" if most is None else f"from 0 to {most}"
    raise ValueError(f"{which} job {wrong[0]}: {name} {array[wrong[0]]} must be {bounds}")
