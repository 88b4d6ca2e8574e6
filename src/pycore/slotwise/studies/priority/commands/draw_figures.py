"""``slotwise study priority figures``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import extras
from slotwise.pictures.figure import save
from slotwise.studies.priority.figures import priority_lines
from slotwise.studies.priority.log_figures import figures_of
from slotwise.studies.priority.sites import study_site
from slotwise.terminal import screen
from slotwise.terminal.outputs import check_folder
from slotwise.terminal.trace_argument import check_runnable, open_trace

if TYPE_CHECKING:
    from pathlib import Path


def draw_figures(log: Path, out: Path) -> None:
    """Draw Figures 1 to 5, 12 and 13 for a log into a folder."""
    extras.load("matplotlib")
    check_folder(out, "--out")
    trace = open_trace(log)
    check_runnable(trace, study_site("thesis", trace))
    figures = figures_of(trace)
    out.mkdir(exist_ok=True)
    pictures = {"figures-1-and-3": priority_lines, **figures.pictures()}
    for name, draw in pictures.items():
        for path in save(draw(), out, name):
            screen.stdout().print(f"written: {path}", markup=False, soft_wrap=True)
    if not figures.logged:
        screen.stdout().print(
            "The log has no start times: Figures 2, 4 and 12 show a replay under the kraken site."
        )
