"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

from slotwise._version import __version__
from slotwise.errors import MissingExtraError, ReplayError, SiteError, TraceError
from slotwise.generators import generate, models
from slotwise.machine import Processors
from slotwise.policy import Policy, PolicyInfo, backfills, orders
from slotwise.result import Result
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.state import State
from slotwise.sweeps import Sweep, sweep
from slotwise.swf import read_swf, write_swf
from slotwise.trace import Trace
from slotwise.trace_report import TraceReport

__all__ = [
    "MissingExtraError",
    "Policy",
    "PolicyInfo",
    "Processors",
    "ReplayError",
    "Result",
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
    "simulate",
    "sweep",
    "write_swf",
]
