"""Chart of the ratios that ``ratio.py`` measures, drawn from the tables in docs/benchmarks.md.

Run: python benchmarks/plots.py; it writes docs/pictures/ratios.svg. ``ratio.py --markdown`` prints
the tables.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "pictures" / "ratios.svg"
TABLE = re.compile(r"^\| workload \|.*?(?=^$)", re.MULTILINE | re.DOTALL)
TITLES = ("easy", "easy under Kraken's formula", "conservative")
COLOURS = ("#0072B2", "#D55E00", "#009E73")


def ratios(text: str) -> list[dict[str, float]]:
    """Return the ratios to the bare event loop, by workload, for each table of replays."""
    found = []
    for table in TABLE.findall(text):
        header, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
        ]
        name, ratio = header.index("workload"), header.index("ratio")
        found.append({row[name]: float(row[ratio].replace(",", "")) for row in rows})
    return found


def data_of(tables: list[dict[str, float]]) -> str:
    """Return a hash of the plotted data, which the chart file stores as its description."""
    return "data " + hashlib.sha256(repr(tables).encode()).hexdigest()


def draw(tables: list[dict[str, float]], path: Path) -> None:
    """Draw the ratios of all tables side by side, on a logarithmic scale."""
    names = list(dict.fromkeys(name for table in tables for name in table))
    figure = Figure(figsize=(8, 0.3 * len(names) + 1.2), layout="constrained")
    axes = figure.subplots()
    for table, title, colour, marker in zip(tables, TITLES, COLOURS, "o^s", strict=True):
        places = [names.index(name) for name in table]
        axes.plot(list(table.values()), places, marker, color=colour, label=title)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    axes.grid(axis="both", color="#E6E9ED")
    axes.set_axisbelow(True)
    axes.set_xlabel("cost of a replay in units of the bare event loop")
    axes.spines[["right", "top"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    with mpl.rc_context({"svg.hashsalt": "slotwise"}):
        figure.savefig(path, metadata={"Date": None, "Description": data_of(tables)})


if __name__ == "__main__":
    draw(ratios(PAGE.read_text(encoding="utf-8")), PICTURE)
