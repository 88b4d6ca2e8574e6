"""Results of a replay: metrics, groups, jobs, files."""

from slotwise.result.result import Result

__all__ = ["Result"]
