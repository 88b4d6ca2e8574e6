"""`simulate`, and simulations: replays that are driven step by step."""

from slotwise.simulation.simulate import simulate
from slotwise.simulation.simulation import Simulation

__all__ = ["Simulation", "simulate"]
