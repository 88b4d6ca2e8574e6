"""Summary of a result, as consoles and notebooks show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.replay.metrics import metrics_of

if TYPE_CHECKING:
    from slotwise.replay.replay_data import ReplayData


def summary(result: ReplayData) -> list[tuple[str, str]]:
    """Return the name and text of each line of the summary."""
    figures = metrics_of(result)
    left_out = [
        f"{int(figures[key]):,} {word}"
        for key, word in (("n_rejected", "rejected"), ("n_dropped", "dropped"))
        if figures[key]
    ]
    rows = [
        ("jobs", f"{int(figures['n_started']):,} of {int(figures['n_jobs']):,} started"),
        ("left out", ", ".join(left_out)),
        ("machine", f"{result.processors:,} processors"),
        ("mean wait", f"{figures['mean_wait']:,.1f} s"),
        ("mean bounded slowdown", f"{figures['mean_bounded_slowdown']:,.2f} (threshold 10 s)"),
        ("utilisation", f"{100 * figures['utilisation']:.2f} %"),
        ("loss of capacity", f"{100 * figures['loss_of_capacity']:.2f} %"),
        ("replayed in", f"{result.seconds:.3f} s"),
    ]
    return [(name, value) for name, value in rows if value]


def summary_html(result: ReplayData) -> str:
    """Return the lines as an HTML table, which notebooks show."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>"
        for name, value in summary(result)
    )
    return f"<table>{rows}</table>"
