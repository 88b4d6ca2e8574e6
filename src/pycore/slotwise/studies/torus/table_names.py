"""Names of the study's tables: those of the paper, and variants of them."""

from __future__ import annotations

TABLES = {
    "I": ("sdsc-blue", "utilisation"),
    "II": ("sdsc-blue", "wait"),
    "III": ("sdsc-blue", "response"),
    "IV": ("anl-intrepid", "utilisation"),
    "V": ("anl-intrepid", "wait"),
    "VI": ("anl-intrepid", "response"),
}
"""Trace and metric of each of the paper's tables."""

WITH_BACKFILLING = "with backfilling"
LOADS = {"load 0.7": 0.7, "load 0.85": 0.85}
"""Other loads at which the tables are computed, using only jobs of the paper's sizes."""


def table_name(number: str, variant: str = "") -> str:
    """Name a table of the paper, or the same table under a variant."""
    return f"{number}, {variant}" if variant else number
