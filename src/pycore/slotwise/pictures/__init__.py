"""Pictures of a schedule on a torus: jobs on nodes, at one moment and over time.

The pictures need matplotlib: ``pip install 'slotwise[plot]'``.
"""

from __future__ import annotations

from slotwise.pictures.moment import plot_nodes
from slotwise.pictures.node_intervals import fragmented_moment
from slotwise.pictures.occupancy import plot_occupancy
from slotwise.pictures.write import write_pictures

__all__ = ["fragmented_moment", "plot_nodes", "plot_occupancy", "write_pictures"]
