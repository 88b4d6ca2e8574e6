"""Workload models: seeded traces of any length, load and machine."""

from __future__ import annotations

from .lublin import lublin
from .registry import ModelInfo, generate, models

__all__ = ["ModelInfo", "generate", "lublin", "models"]
