"""Queues and limits inferred from the queues or partitions in a log, and from each user's peaks.

Example: jobs in the debug partition request at most 30 minutes. Five users each ran 2 such jobs at
once, and no user ran more: ``walltime = ["0s", "00:30:00"]`` and ``running_per_user = 2``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import text
from slotwise.advice.logged_site.lines import Line
from slotwise.site.machine.hostlist import folded
from slotwise.site.parts.times import written_duration
from slotwise.site.toml.writer import toml_value
from slotwise.trace.peaks import peaks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.advice.logged_site.machine import LoggedNodes
    from slotwise.advice.logged_site.runs import Runs
    from slotwise.trace import Trace

    Bools = NDArray[np.bool_]

FEWEST_USERS = 3
"""A maximum is written as a limit only if at least this many users reached it."""


def queue_lines(trace: Trace, runs: Runs, nodes: LoggedNodes | None) -> Iterator[Line]:
    """Yield a queue table for each queue in the log, or, if it has none, for each partition."""
    column = "queue" if (trace.queue >= 0).any() else "partition"
    codes = getattr(trace, column)
    present, counts = np.unique(codes[codes >= 0], return_counts=True)
    words = trace.labels.get(column, {})
    for place in np.argsort(-counts, kind="stable").tolist():
        code = int(present[place])
        name: int | str = words.get(code, code)
        yield Line()
        yield Line("[[queue]]")
        yield Line(
            f"name = {toml_value(name if isinstance(name, str) else f'{column} {name}')}",
            f"{text.plural(int(counts[place]), 'job')} of this {column}",
        )
        # A queue without a name is written as a number; a partition is always written as text.
        named = name if column == "queue" or isinstance(name, str) else str(name)
        yield Line(f"trace_queues = {toml_value([named])}")
        mine = codes == code
        yield from _walltime(trace, mine)
        yield from _nodes(nodes, mine)
        yield from limit_lines(trace, runs, mine)
    if len(present) and (codes < 0).any():
        yield Line()
        yield Line("[[queue]]")
        others = text.plural(int(np.count_nonzero(codes < 0)), "job")
        yield Line('name = "others"', f"{others} without a {column}")


def _walltime(trace: Trace, mine: Bools) -> Iterator[Line]:
    """Yield a walltime range up to the longest request, or a comment if the log has no requests."""
    asked = trace.requested_time[mine]
    if (trace.requested_time == trace.run_time).all():
        yield Line("", "no walltime: the log has no requested times")
        return
    longest = max(int(asked.max()), 1)
    jobs = int(np.count_nonzero(asked == asked.max()))
    yield Line(
        f"walltime = {toml_value(['0s', written_duration(longest)])}",
        f"longest requested time, requested by {text.plural(jobs, 'job')}",
    )


def _nodes(nodes: LoggedNodes | None, mine: Bools) -> Iterator[Line]:
    """Yield a line with the nodes on which the jobs ran, unless they ran on every node."""
    if nodes is None:
        return
    used = np.unique(nodes.node[mine[nodes.job]]).tolist()
    if used and len(used) < len(nodes.names):
        yield Line(
            f"nodes = {toml_value([folded([nodes.names[number] for number in used])])}",
            f"the {text.plural(len(used), 'node')} that its jobs ran on",
        )


def limit_lines(trace: Trace, runs: Runs, mine: Bools) -> Iterator[Line]:
    """Yield the largest numbers of jobs and processors that any user had at once.

    A maximum becomes a limit if several users reached it, and all users together had more.
    Otherwise, it is written as a comment, because a limit without evidence could delay jobs.
    """
    user = np.where(mine, trace.user, -1).astype(np.int32)
    weights = (np.ones(len(trace), dtype=np.int64), trace.processors)
    found: Any = peaks_of(user, runs.start, runs.end, weights)
    everyone = np.where(user >= 0, 0, -1).astype(np.int32)
    whole: Any = peaks_of(everyone, runs.start, runs.end, weights)
    names = (("running_per_user", "jobs running"), ("processors_per_user", "processors in use"))
    for (name, unit), peaks, of_all in zip(names, found, whole, strict=True):
        most = int(peaks.max(initial=0))
        if most == 0:
            continue
        users = int(np.count_nonzero(peaks == most))
        if most == int(of_all.max(initial=0)):
            yield Line(
                f"# {name} = {most}",
                f"no evidence of a limit: all users together never had more {unit}",
            )
        elif users >= FEWEST_USERS:
            yield Line(
                f"{name} = {most}", f"{users} users had {most} {unit} at once; none had more"
            )
        else:
            yield Line(
                f"# {name} = {most}",
                f"no evidence of a limit: only {text.plural(users, 'user')} had this many {unit} "
                f"at once; {FEWEST_USERS} users are required",
            )
