"""Ends of running jobs in the windows of cons_tres: 30 s, doubling or growing by a constant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.slurm.running import Running

FIRST_WINDOW = 30


def lumped(running: Sequence[Running], usable: int, step: int) -> Iterator[list[Running]]:
    """Yield groups of jobs, by end, that count as ending together.

    Windows are counted from the multiple of 30 s after the first end on usable nodes. A group
    reaches one window beyond that instant; after it, the window grows until it reaches the next.
    A job without usable nodes is left out, but its end still counts as the next one.
    """
    window, bound = FIRST_WINDOW, 0
    group: list[Running] = []
    for place, each in enumerate(running):
        if each.nodes & usable:
            if not bound:
                bound = each.end + FIRST_WINDOW - each.end % FIRST_WINDOW
            group.append(each)
        else:
            continue
        following = running[place + 1] if place + 1 < len(running) else None
        if following is not None and following.end <= bound + window:
            continue
        yield group
        group = []
        grow = True
        while grow:
            window = window + step if step else window * 2
            grow = following is not None and following.end > bound + window
    if group:
        yield group
