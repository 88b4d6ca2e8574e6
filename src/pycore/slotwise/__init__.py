"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

import sys

if sys.argv[:1] == ["-m"]:  # ``python -m`` runs this before the module that it names
    import slotwise_entry

    if slotwise_entry.is_module_run():
        slotwise_entry.heed_requests()

from slotwise._core import JobView, MachineView
from slotwise._version import __version__
from slotwise.errors import (
    MissingExtraError,
    ReplayError,
    SiteError,
    SiteWarning,
    TraceError,
    TraceWarning,
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
from slotwise.simulation import simulate
from slotwise.simulation.simulation import Simulation
from slotwise.simulation.snapshots import Snapshot
from slotwise.site import Site, knapsack
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
from slotwise.site.policy.order_functions import CompiledOrder, NumPyOrder, job_columns
from slotwise.site.policy.order_spec import OrderSpec, PolicyInfo, orders
from slotwise.sweeps import Sweep, sweep
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
# Makes `import slotwise.knapsack` work.
sys.modules[f"{__name__}.knapsack"] = knapsack


def get_include() -> str:
    """Return the folder of ``slotwise_order.h`` and ``slotwise_order.pxd``."""
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
    "Torus",
    "Trace",
    "TraceError",
    "TraceReport",
    "TraceWarning",
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
    "write_swf",
]
