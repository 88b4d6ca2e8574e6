"""Why a job waited."""

from slotwise.waits.explain import explain
from slotwise.waits.explanation import Explanation, LimitHeld, Part, ResourceHeld

__all__ = ["Explanation", "LimitHeld", "Part", "ResourceHeld", "explain"]
