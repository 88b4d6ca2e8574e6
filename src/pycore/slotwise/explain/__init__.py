"""Explanations of a job's wait."""

from slotwise.explain.explain import explain
from slotwise.explain.explanation import DependencyHeld, Explanation, LimitHeld, Part, ResourceHeld

__all__ = ["DependencyHeld", "Explanation", "LimitHeld", "Part", "ResourceHeld", "explain"]
