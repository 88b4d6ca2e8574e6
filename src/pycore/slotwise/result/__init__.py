"""Answers a replay gives back."""

from slotwise.result.result import Result

__all__ = ["Result"]
