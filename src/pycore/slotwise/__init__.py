"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if sys.argv[:1] == ["-m"]:  # ``python -m slotwise.x`` runs this file before ``slotwise.x``
    import slotwise_entry

    if slotwise_entry.is_module_run():
        slotwise_entry.heed_requests()

from slotwise._version import __version__

if TYPE_CHECKING:
    from slotwise import knapsack
    from slotwise._core import JobView, MachineView
    from slotwise.errors import (
        MissingExtraError,
        ReplayError,
        SiteError,
        SiteWarning,
        TraceError,
        TraceWarning,
        WorkerError,
    )
    from slotwise.formats.csv_parquet import read_csv
    from slotwise.formats.intrepid import read_intrepid
    from slotwise.formats.registry import read_trace
    from slotwise.formats.slurm_conf import read_slurm_nodes
    from slotwise.formats.slurm_events import read_slurm_events
    from slotwise.formats.swf import read_swf, write_swf
    from slotwise.generators import generate, models
    from slotwise.replay.reject_reason import RejectReason
    from slotwise.replay.scoring import scores
    from slotwise.replay.state import EndReason, State
    from slotwise.result import Result
    from slotwise.result.paired_waits import paired_wait
    from slotwise.simulation.outside_scheduler import OutsideScheduler
    from slotwise.simulation.simulate import simulate
    from slotwise.simulation.simulation import Simulation
    from slotwise.simulation.snapshots import Snapshot
    from slotwise.site import Site
    from slotwise.site.knapsack import fill_slots
    from slotwise.site.machine import Processors
    from slotwise.site.machine.nodes import Nodes, NodeType
    from slotwise.site.machine.torus import Torus, node_orders
    from slotwise.site.parts import (
        Clock,
        Crashes,
        Interruption,
        Limits,
        Maintenance,
        NamedLimits,
        Outage,
        PlacementEffect,
        Pool,
        Queue,
        Reservation,
    )
    from slotwise.site.policy import Policy, backfills
    from slotwise.site.policy.external import External
    from slotwise.site.policy.onnx_order import order_from_onnx
    from slotwise.site.policy.order_functions import CompiledOrder, NumPyOrder, job_columns
    from slotwise.site.policy.order_spec import OrderSpec, PolicyInfo, orders
    from slotwise.sweeps.shards import SweepShards, sweep_shards
    from slotwise.sweeps.sweep import sweep
    from slotwise.sweeps.table import Sweep
    from slotwise.trace import Trace
    from slotwise.trace.demands import Demands
    from slotwise.trace.report import TraceReport

    list_backfills = backfills
    list_models = models
    list_node_orders = node_orders
    list_orders = orders
    order_scores = scores
    compare = paired_wait
    Dispatcher = External

_HOMES = {
    "slotwise._core": "JobView MachineView",
    "slotwise.errors":
        "MissingExtraError ReplayError SiteError SiteWarning TraceError TraceWarning WorkerError",
    "slotwise.formats.csv_parquet": "read_csv",
    "slotwise.formats.intrepid": "read_intrepid",
    "slotwise.formats.registry": "read_trace",
    "slotwise.formats.slurm_conf": "read_slurm_nodes",
    "slotwise.formats.slurm_events": "read_slurm_events",
    "slotwise.formats.swf": "read_swf write_swf",
    "slotwise.generators": "generate models list_models=models",
    "slotwise.replay.reject_reason": "RejectReason",
    "slotwise.replay.scoring": "scores order_scores=scores",
    "slotwise.replay.state": "EndReason State",
    "slotwise.result": "Result",
    "slotwise.result.paired_waits": "paired_wait compare=paired_wait",
    "slotwise.simulation.outside_scheduler": "OutsideScheduler",
    "slotwise.simulation.simulate": "simulate",
    "slotwise.simulation.simulation": "Simulation",
    "slotwise.simulation.snapshots": "Snapshot",
    "slotwise.site": "Site",
    "slotwise.site.knapsack": "fill_slots",
    "slotwise.site.machine": "Processors",
    "slotwise.site.machine.nodes": "Nodes NodeType",
    "slotwise.site.machine.torus": "Torus node_orders list_node_orders=node_orders",
    "slotwise.site.parts":
        "Clock Crashes Interruption Limits Maintenance NamedLimits Outage PlacementEffect Pool "
        "Queue Reservation",
    "slotwise.site.policy": "Policy backfills list_backfills=backfills",
    "slotwise.site.policy.external": "External Dispatcher=External",
    "slotwise.site.policy.onnx_order": "order_from_onnx",
    "slotwise.site.policy.order_functions": "CompiledOrder NumPyOrder job_columns",
    "slotwise.site.policy.order_spec": "OrderSpec PolicyInfo orders list_orders=orders",
    "slotwise.sweeps.shards": "SweepShards sweep_shards",
    "slotwise.sweeps.sweep": "sweep",
    "slotwise.sweeps.table": "Sweep",
    "slotwise.trace": "Trace",
    "slotwise.trace.demands": "Demands",
    "slotwise.trace.report": "TraceReport",
}  # fmt: skip
"""Public names by module; ``new=old`` makes `old` public as `new`.

A name is imported when it is first used, so that a command loads only what it needs.
"""
_HOME_OF = {
    entry.partition("=")[0]: (module, entry.rpartition("=")[2])
    for module, entries in _HOMES.items()
    for entry in entries.split()
}


def __getattr__(name: str) -> Any:
    """Import a public name or a module of the package when it is first used."""
    import importlib

    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _HOME_OF:
        module, own = _HOME_OF[name]
        value = getattr(importlib.import_module(module), own)
    else:
        full = f"{__name__}.{name}"
        try:
            value = importlib.import_module(full)
        except ModuleNotFoundError as missing:
            if missing.name != full:
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not, and the modules imported so far."""
    return sorted({*globals(), *__all__})


def get_include() -> str:
    """Return the folder that contains ``slotwise_order.h`` and ``slotwise_order.pxd``."""
    from pathlib import Path

    return str(Path(__file__).parent / "include")


__all__ = [
    "Clock",
    "CompiledOrder",
    "Crashes",
    "Demands",
    "Dispatcher",
    "EndReason",
    "External",
    "Interruption",
    "JobView",
    "Limits",
    "MachineView",
    "Maintenance",
    "MissingExtraError",
    "NamedLimits",
    "NodeType",
    "Nodes",
    "NumPyOrder",
    "OrderSpec",
    "Outage",
    "OutsideScheduler",
    "PlacementEffect",
    "Policy",
    "PolicyInfo",
    "Pool",
    "Processors",
    "Queue",
    "RejectReason",
    "ReplayError",
    "Reservation",
    "Result",
    "Simulation",
    "Site",
    "SiteError",
    "SiteWarning",
    "Snapshot",
    "State",
    "Sweep",
    "SweepShards",
    "Torus",
    "Trace",
    "TraceError",
    "TraceReport",
    "TraceWarning",
    "WorkerError",
    "__version__",
    "backfills",
    "compare",
    "fill_slots",
    "generate",
    "get_include",
    "job_columns",
    "knapsack",
    "list_backfills",
    "list_models",
    "list_node_orders",
    "list_orders",
    "models",
    "node_orders",
    "order_from_onnx",
    "order_scores",
    "orders",
    "read_csv",
    "read_intrepid",
    "read_slurm_events",
    "read_slurm_nodes",
    "read_swf",
    "read_trace",
    "scores",
    "simulate",
    "sweep",
    "sweep_shards",
    "write_swf",
]
