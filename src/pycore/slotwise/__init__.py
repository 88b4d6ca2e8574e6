"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

from slotwise.errors import MissingExtraError, ReplayError, SiteError, TraceError
from slotwise.swf import read_swf, write_swf
from slotwise.trace import Trace
from slotwise.trace_report import TraceReport

__version__ = "0.1.0"

__all__ = [
    "MissingExtraError",
    "ReplayError",
    "SiteError",
    "Trace",
    "TraceError",
    "TraceReport",
    "read_swf",
    "write_swf",
]
