"""Why a job waited."""

from slotwise.waits.explain import explain
from slotwise.waits.explanation import Explanation, Part

__all__ = ["Explanation", "Part", "explain"]
