"""Workload models, which generate traces from a seed and options such as the load."""

from __future__ import annotations

from .lublin import lublin
from .registry import ModelInfo, generate, models

__all__ = ["ModelInfo", "generate", "lublin", "models"]
