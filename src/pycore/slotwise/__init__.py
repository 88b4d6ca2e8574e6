"""Replay a supercomputer's job log under another scheduling configuration."""

from __future__ import annotations

__version__ = "0.1.0"

from slotwise.result import Result
from slotwise.state import State

__all__ = ["Result", "State"]
