"""Converts the limits and the job owners of a single decision to the form that the core reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.to_core import core_limits
from slotwise.site import Site
from slotwise.site.parts.limits import LIMIT_READERS, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise._core import Limits as CoreLimits
    from slotwise.site.machine.nodes import Nodes
    from slotwise.site.parts import Queue
    from slotwise.site.policy import Policy

    Int64 = NDArray[np.int64]
    Columns = Mapping[str, Any]

_SCOPES = ("user", "group", "account", "qos")


def limits_of(
    machine: Nodes, queues: Sequence[Queue], policy: Policy, limits: Limits | None
) -> CoreLimits | None:
    """Return the core's limits on all jobs; None if neither the site nor a queue has limits.

    Raises
    ------
    FaultsError
        If the preset does not support a limit; the message names every such limit.
    """
    if not any(True for _ in _given(limits, queues)):
        return None
    site = Site(machine=machine, policy=policy, limits=limits or Limits())
    return core_limits(site.limits, machine)


def owner_columns(
    limits: Limits | None, queues: Sequence[Queue], running: Columns, waiting: Columns, n: int
) -> Int64:
    """Return the numbers of each job's owners, one column per scope; running jobs come first.

    The number is -1 if the owner is unknown, and in scopes without limits.

    Raises
    ------
    ValueError
        If a limit counts jobs by an owner for which there is no column.
    """
    owners = np.full((n, 1 + len(_SCOPES)), -1, dtype=np.int64)
    for place, scope in enumerate(_SCOPES, start=1):
        names = sorted(name for name in _given(limits, queues) if name.endswith(f"per_{scope}"))
        if not names:
            continue
        for which, jobs in (("running", running), ("waiting", waiting)):
            if scope not in jobs:
                raise ValueError(f"{names[0]} needs the column {scope!r} of the {which} jobs")
        given = np.concatenate([np.asarray(jobs[scope]) for jobs in (running, waiting)])
        known, numbers = np.unique(given, return_inverse=True)
        is_unknown = np.isin(known, ["", "-1"] if known.dtype.kind == "U" else [-1])
        owners[:, place] = np.where(is_unknown[numbers], -1, numbers)
    return owners


def _given(limits: Limits | None, queues: Sequence[Queue]) -> Iterator[str]:
    """Yield the names of the limits that are set."""
    for holder in (limits, *queues):
        for name in LIMIT_READERS:
            if getattr(holder, name, None):
                yield name
