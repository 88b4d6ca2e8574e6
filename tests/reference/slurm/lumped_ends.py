"""Running jobs that cons_tres treats as ending together, in windows of 30 s or longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.slurm.rules import Rules
    from reference.slurm.running import Running

FIRST_WINDOW = 30


def lumped(
    running: Sequence[Running], usable: int, step: int, rules: Rules
) -> Iterator[list[Running]]:
    """Yield groups of jobs that count as ending together, earliest end first.

    Windows are measured from the first multiple of 30 s after the first end on usable nodes. A
    group contains the ends up to one window after that instant. After each group, the window grows
    until it includes the next end. A job without usable nodes is in no group, but its end may still
    be the next end.
    """
    window, bound = FIRST_WINDOW, 0
    step = step if rules.longer_groups else FIRST_WINDOW
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
        if not rules.common_origin:
            window, bound = FIRST_WINDOW, 0
            continue
        grow = True
        while grow:
            window = window + step if step else window * 2
            grow = following is not None and following.end > bound + window
    if group:
        yield group
