"""Facts about a torus and its node order, for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text

if TYPE_CHECKING:
    from slotwise.site.machine.torus import Torus

_LAGS = (2, 16, 256)
"""Steps along the node order for which the mean distance is printed."""


def torus_facts(torus: Torus) -> list[tuple[str, str]]:
    """Describe the machine and its node order, for a table."""
    each = text.plural(torus.processors_per_node, "processor")
    nodes = f"{text.plural(torus.nodes, 'node')} of {each}"
    return [
        ("machine", f"torus {torus}: {nodes}"),
        ("node order", f"{torus.order}; {_steps(torus)}"),
        *([("", _locality(torus))] if torus.nodes > _LAGS[0] else []),
    ]


def _steps(torus: Torus) -> str:
    """Count the steps of the node order that are longer than one link."""
    longer = sorted(torus.longer_steps().items())
    if not longer:
        return "consecutive nodes are neighbours"
    listed = ", ".join(f"{count:,} of length {length}" for length, count in longer[:4])
    more = sum(count for _, count in longer[4:])
    listed += f", {more:,} longer" if more else ""
    n_longer = sum(count for _, count in longer)
    return f"{n_longer:,} of {torus.nodes - 1:,} steps are longer than one link: {listed}"


def _locality(torus: Torus) -> str:
    lags = [lag for lag in _LAGS if lag < torus.nodes]
    means = zip(torus.mean_distances(lags), lags, strict=True)
    listed = ", ".join(f"{mean:.1f} links after {lag} steps" for mean, lag in means)
    return f"mean distance: {listed}"
