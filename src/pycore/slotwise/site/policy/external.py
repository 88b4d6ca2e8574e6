"""Policies in which a Python callable decides which jobs start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from slotwise.errors import SiteError
from slotwise.site.policy.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise._core import JobView, MachineView, Policy as CorePolicy


class External(Policy):
    """A policy in which your own function decides, at each pass, which waiting jobs start.

    Parameters
    ----------
    dispatch : callable
        Called as ``dispatch(queue, machine)`` at each scheduling pass. It returns the job_id of
        each job to start now, as an iterable in starting order, or None to start no job.

        On a torus, a pair ``(job_id, nodes)`` also gives the positions of the job's nodes; a job
        without them gets the first free nodes. On a machine with node types, the pair contains
        names or numbers of nodes. Each of these nodes takes one unit; any further units fill the
        nodes in the given order. A mapping ``{node: units}`` instead gives the number of units on
        each node; their sum must equal the job's units. On a site with pools, a pair ``(job_id,
        pool)`` names the pool in which the job starts. A job without a pool starts in the first
        pool of its queue in which it can start now; a job of a spanning queue gets its share of
        each pool.

        `queue` has the columns of `Simulation.queue`. `machine` has ``now`` (seconds on the trace's
        clock), ``processors``, ``free``, ``running`` (columns as in `Simulation.running`), and
        ``ended`` and ``arrived``, the job_id of jobs that ended or arrived since the previous pass.
        ``free_in_pools`` and ``free_in_reservations`` are dicts by name. The latter gives the
        unused processors of each user reservation that is open now; on a machine with node types,
        it gives the nodes without a job. On a torus, ``free_nodes`` has the positions of the free
        nodes. On a machine with node types, ``free_on_nodes`` and ``free_in_types`` are dicts that
        give an array for each resource. ``nodes_for(job_id)`` returns the numbers of the nodes on
        which a unit of the job could run if they were free. `queue` and `machine` are the same
        objects at every pass, and usable only during the pass; columns taken from them remain
        valid.
    passes : str, default "per-instant"
        As in `Policy`.
    kill_at_limit : bool, default True
        As in `Policy`.

    Raises
    ------
    TypeError
        If `dispatch` cannot be called.
    SiteError
        For values that `Policy` refuses.

    Notes
    -----
    An exception raised by `dispatch` propagates unchanged, and ends `simulate` or the current `run`
    or `step` of a `Simulation`. An impossible return value raises a `ReplayError`: a job that is
    not in the queue, does not fit or is named twice; or a node that is not free, is named twice or
    is not needed. The pass then has no effect; a simulation calls `dispatch` again when it next
    advances.

    Examples
    --------
    >>> import slotwise as sw
    >>> def first_come(queue, machine):
    ...     if len(queue) and queue.processors[0] <= machine.free:
    ...         return queue.job_id[:1]
    >>> site = sw.Site(policy=sw.External(first_come))
    """

    __slots__ = ("dispatch",)

    dispatch: Callable[[JobView, MachineView], Any]

    def __init__(
        self,
        dispatch: Callable[[JobView, MachineView], Any],
        *,
        passes: str = "per-instant",
        kill_at_limit: bool = True,
    ) -> None:
        if not callable(dispatch):
            msg = (
                f"dispatch {dispatch!r:.60} is not callable; pass a function that takes queue "
                "and machine"
            )
            raise TypeError(msg)
        super().__init__(backfill="none", passes=passes, kill_at_limit=kill_at_limit)
        object.__setattr__(self, "dispatch", dispatch)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with `dispatch`, `passes` or `kill_at_limit` changed."""
        fields = {
            "dispatch": self.dispatch,
            "passes": self.passes,
            "kill_at_limit": self.kill_at_limit,
        }
        return type(self)(**{**fields, **changes})

    def to_dict(self) -> dict[str, Any]:
        """Return the dispatcher's name and the fields that differ from defaults, for display."""
        name = getattr(self.dispatch, "__qualname__", type(self.dispatch).__qualname__)
        shown: dict[str, Any] = {"external": name}
        if self.passes != "per-instant":
            shown["passes"] = self.passes
        if not self.kill_at_limit:
            shown["kill_at_limit"] = False
        return shown

    @property
    def plain(self) -> Policy:
        """The policy without its dispatcher; it keeps `passes` and `kill_at_limit`."""
        return Policy(backfill="none", passes=self.passes, kill_at_limit=self.kill_at_limit)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, External):
            return NotImplemented
        return self.dispatch == other.dispatch and self.plain == other.plain

    def __hash__(self) -> int:
        return hash((self.dispatch, self.plain))

    def __repr__(self) -> str:
        return f"External({self.dispatch!r}, passes={self.passes!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _external, (self.dispatch, self.passes, self.kill_at_limit)

    def _to_core(self) -> CorePolicy:
        msg = "only simulate and Simulation support an external dispatcher; pass a Policy here"
        raise SiteError(msg)


def _external(dispatch: Any, passes: str, kill_at_limit: bool) -> External:
    return External(dispatch, passes=passes, kill_at_limit=kill_at_limit)
