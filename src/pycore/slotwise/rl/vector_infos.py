"""Infos of a vector environment, as Gymnasium stores them: an array and a mask per key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slotwise._core import DecisionBatch


def infos_of(
    batch: DecisionBatch, mask: NDArray[np.int8], chosen: NDArray[np.bool_]
) -> dict[str, Any]:
    """Return the infos of the chosen environments; the values for all others are 0."""
    columns: dict[str, NDArray[Any]] = {
        "action_mask": mask.copy(),
        "now": batch.now(),
        "waiting": batch.n_waiting(),
        "masked_actions": batch.n_masked(),
    }
    infos: dict[str, Any] = {}
    everyone = bool(chosen.all())
    for name, column in columns.items():
        if not everyone:
            column[~chosen] = 0
        infos[name] = column
        infos[f"_{name}"] = chosen.copy()
    return infos
