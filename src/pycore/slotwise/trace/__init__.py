"""A job log as columns."""

from slotwise.trace.trace import Trace

__all__ = ["Trace"]
