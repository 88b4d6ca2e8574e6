"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

from slotwise._version import __version__
from slotwise.errors import MissingExtraError, ReplayError, SiteError, TraceError
from slotwise.generators import generate, models
from slotwise.machine import Processors
from slotwise.order_spec import OrderSpec, PolicyInfo, orders
from slotwise.policy import Policy, backfills
from slotwise.result import Result
from slotwise.scoring import scores
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.state import State
from slotwise.sweeps import Sweep, sweep
from slotwise.stepping import Simulation
from slotwise.swf import read_swf, write_swf
from slotwise.trace import Trace
from slotwise.trace_report import TraceReport

__all__ = [
    "MissingExtraError",
    "OrderSpec",
    "Policy",
    "PolicyInfo",
    "Processors",
    "ReplayError",
    "Result",
    "Simulation",
    "Site",
    "SiteError",
    "State",
    "Sweep",
    "Trace",
    "TraceError",
    "TraceReport",
    "__version__",
    "backfills",
    "generate",
    "models",
    "orders",
    "read_swf",
    "scores",
    "simulate",
    "sweep",
    "write_swf",
]
