"""Picture for the page on learning: slowdowns in held-out weeks during training.

Run: python docs/pictures/learning.py (needs ``slotwise[plot]``); it writes learning.svg beside
itself, from the files that ``examples/rl/ppo.py --curve`` has written.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

FOLDER = Path(__file__).resolve().parent
LOGS = {"KTH-SP2": "learning-kth.json", "generated year": "learning-year.json"}
COLOURS = {"EASY": "#0072B2", "SJF": "#D55E00", "WFP3": "#009E73", "F1": "#CC79A7"}


def curves() -> dict[str, Any]:
    """Read the slowdowns of every policy, and the points of every seed, by log."""
    return {
        name: json.loads((FOLDER / file).read_text(encoding="utf-8")) for name, file in LOGS.items()
    }


def data_of(found: dict[str, Any]) -> str:
    """Return a hash of the data shown, which the picture's file stores as its description."""
    return "data " + hashlib.sha256(json.dumps(found).encode()).hexdigest()


def draw(path: Path) -> None:
    """Draw the curve of every seed, and a line for each policy."""
    found = curves()
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes, (name, log) in zip(figure.subplots(1, len(found)), found.items(), strict=True):
        for seed, points in enumerate(log["seeds"]):
            decisions, slowdowns = zip(*points, strict=True)
            shade = str(0.3 * seed)
            axes.plot(decisions, slowdowns, "o-", markersize=3, color=shade, label=f"seed {seed}")
        for policy, colour in COLOURS.items():
            axes.axhline(log["policies"][policy], color=colour, linestyle="--", label=policy)
        axes.set_yscale("log")
        axes.set_yticks([10, 20, 50, 100, 200], ["10", "20", "50", "100", "200"])
        axes.minorticks_off()
        axes.set_title(name, loc="left")
        axes.set_xlabel("decisions in training")
        axes.spines[["right", "top"]].set_visible(False)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:.0f},000" if value else "0")
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.supylabel("mean bounded slowdown, held-out weeks", fontsize=9)
    with mpl.rc_context({"svg.hashsalt": "slotwise"}):
        figure.savefig(path, metadata={"Date": None, "Description": data_of(found)})


if __name__ == "__main__":
    draw(Path(__file__).with_suffix(".svg"))
