"""Explanations of a job's wait."""

from slotwise.explain.explain import explain
from slotwise.explain.explanation import Explanation, LimitHeld, Part, ResourceHeld

__all__ = ["Explanation", "LimitHeld", "Part", "ResourceHeld", "explain"]
