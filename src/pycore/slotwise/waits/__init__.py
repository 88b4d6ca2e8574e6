"""Why a job waited."""

from slotwise.waits.explain import explain
from slotwise.waits.explanation import Explanation, LimitHeld, Part

__all__ = ["Explanation", "LimitHeld", "Part", "explain"]
