"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

import sys

if sys.argv[:1] == ["-m"]:  # ``python -m`` runs this before the module it is asked for
    import slotwise_entry

    if slotwise_entry.is_module_run():
        slotwise_entry.heed_requests()

from slotwise._core import JobView, MachineView
from slotwise._version import __version__
from slotwise.demands import Demands
from slotwise.errors import MissingExtraError, ReplayError, SiteError, TraceError
from slotwise.external import External
from slotwise.generators import generate, models
from slotwise.intrepid import read_intrepid
from slotwise.knapsack import fill_slots
from slotwise.machine import Processors
from slotwise.node_logs import read_slurm_events
from slotwise.nodes import Nodes, NodeType
from slotwise.order_functions import CompiledOrder, NumPyOrder, job_columns
from slotwise.order_spec import OrderSpec, PolicyInfo, orders
from slotwise.policy import Policy, backfills
from slotwise.reject_reason import RejectReason
from slotwise.result import Result
from slotwise.scoring import scores
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.sites import (
    Clock,
    Crashes,
    Interruption,
    Limits,
    Maintenance,
    Outage,
    PlacementEffect,
    Pool,
    Queue,
    Reservation,
)
from slotwise.slurm_conf import read_slurm_nodes
from slotwise.snapshots import Snapshot
from slotwise.state import EndReason, State
from slotwise.stepping import Simulation
from slotwise.sweeps import Sweep, sweep
from slotwise.swf import read_swf, write_swf
from slotwise.torus import Torus, node_orders
from slotwise.trace import Trace
from slotwise.trace_report import TraceReport


def get_include() -> str:
    """Return the folder of ``slotwise_order.h`` and ``slotwise_order.pxd``."""
    from pathlib import Path

    return str(Path(__file__).parent / "include")


__all__ = [
    "Clock",
    "CompiledOrder",
    "Crashes",
    "Demands",
    "EndReason",
    "External",
    "Interruption",
    "JobView",
    "Limits",
    "MachineView",
    "Maintenance",
    "MissingExtraError",
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
    "Snapshot",
    "State",
    "Sweep",
    "Torus",
    "Trace",
    "TraceError",
    "TraceReport",
    "__version__",
    "backfills",
    "fill_slots",
    "generate",
    "get_include",
    "job_columns",
    "models",
    "node_orders",
    "orders",
    "read_intrepid",
    "read_slurm_events",
    "read_slurm_nodes",
    "read_swf",
    "scores",
    "simulate",
    "sweep",
    "write_swf",
]
