"""`simulate` runs a whole replay; a `Simulation` is a replay that advances step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.simulation.simulate import simulate

if TYPE_CHECKING:
    from slotwise.simulation.simulation import Simulation

__all__ = ["Simulation", "simulate"]


def __getattr__(name: str) -> Any:
    """Import `Simulation` on first use: a whole replay does not need it."""
    if name == "Simulation":
        from slotwise.simulation.simulation import Simulation

        return Simulation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
