"""The result of a replay."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.groups import groups_of_result
from slotwise.replay.interventions import NOTHING, Interventions
from slotwise.replay.metrics import group_metrics_of, metrics_of, reject_counts_of, timeline_of
from slotwise.replay.placements import coordinates_of, nodes_of, places_of
from slotwise.replay.state import State
from slotwise.result.views import ResultViews

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from slotwise._core import Schedule
    from slotwise.explain import Explanation
    from slotwise.explain.slurm_priority import SlurmPriority
    from slotwise.replay.reject_reason import RejectReason
    from slotwise.replay.replay_data import ReplayData
    from slotwise.site import Site
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]


class Result(ResultViews):
    """A finished replay: one row per job of the trace, in trace order.

    Created by `simulate`. Columns are read-only NumPy arrays that share the engine's memory.

    Parameters
    ----------
    trace : Trace
        The jobs that were replayed.
    site : Site
        The configuration under which they were replayed.
    schedule : _core.Schedule
        The decisions; ``_core.Schedule(start, end, state, backfilled)`` creates one from arrays.
    processors : int
        The size of the machine.
    seconds : float
        The wall time of the replay, excluding reading the trace.
    places : tuple of three arrays, optional
        On a machine with nodes: the position of each job's first place (n_jobs + 1), and the node
        and the units of every place.
    by_hand : Interventions
        The user's holds, cancellations, and changes of priority or policy. Default: none.

    Raises
    ------
    ValueError
        For a schedule that cannot belong to this trace: a wrong length, or a start before the
        submit time.
    """

    def __init__(
        self,
        trace: Trace,
        site: Site,
        schedule: Schedule,
        processors: int,
        seconds: float,
        places: tuple[NDArray[Any], ...] | None = None,
        by_hand: Interventions = NOTHING,
    ) -> None:
        super().__init__(trace, site, schedule, processors, seconds, places, by_hand)
        _ = self.wait  # checks that the schedule belongs to this trace

    @classmethod
    def of(cls, replay: ReplayData) -> Result:
        """Create a result from the data of a finished replay."""
        result = cls.__new__(cls)
        vars(result).update(vars(replay))
        return result

    @property
    def by_hand(self) -> Interventions:
        """Another name for `interventions`."""
        return self.interventions

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.trace, self.site, self.schedule, self.processors, self.seconds)
        return Result, (*parts, self._places, self.interventions)

    def places(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the nodes of a job, ascending, and its number of units on each.

        Parameters
        ----------
        row : int
            The job's row in the trace. Both arrays are empty if the job never started.

        Raises
        ------
        ValueError
            For a machine that is not of the type `Nodes`.
        IndexError
            For a row that the trace does not have.
        """
        return places_of(self, row)

    def nodes(self, row: int) -> NDArray[np.int32]:
        """Return the nodes of a job, on a torus or a machine with nodes, as intervals.

        Parameters
        ----------
        row : int
            The job's row in the trace.

        Returns
        -------
        (n_pieces, 2) int32
            [begin, end) of each run of consecutive nodes in the last attempt, ascending. On a
            torus, nodes are given as positions, otherwise as numbers. Empty for a job that never
            started.

        Raises
        ------
        ValueError
            For a machine without nodes.
        IndexError
            For a row that the trace does not have.
        """
        return nodes_of(self, row)

    def coordinates(self, row: int) -> NDArray[np.int32]:
        """Return the torus coordinates of a job's nodes: (n_nodes, dimensions), in node order.

        Parameters and exceptions are those of `nodes`.
        """
        return coordinates_of(self, row)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Site, hash of the trace, versions and seeds as plain values, suitable for JSON."""
        from slotwise.result.manifest import manifest_of

        return manifest_of(self)

    def reject_counts(self) -> dict[RejectReason, int]:
        """Count the rejected jobs by reason; reasons without jobs are left out."""
        return reject_counts_of(self)

    def metrics(
        self,
        *,
        threshold: int = 10,
        trim: tuple[float, float] = (0, 0),
        fair_start: ArrayLike | None = None,
    ) -> dict[str, float]:
        """Return every metric of the replay by name.

        `docs/metrics.md` defines each metric: formula, unit, denominator, exclusions, source. Jobs
        that never started are counted but excluded from every average.

        Parameters
        ----------
        threshold : int, seconds, default 10
            The minimum run time in bounded slowdowns.
        trim : (float, float), default (0, 0)
            Warm-up and cool-down, as fractions of the span from the first submission to the last
            end (below 1) or in seconds. The rest of this span is the measured span. Jobs submitted
            outside it are left out, and `n_trimmed` is their number. Time integrals are taken over
            the measured span.
        fair_start : (n_jobs,) array_like of int64, seconds, optional
            Return value of `fair_start`. The metrics of missed fair starts are then added; they
            cover the jobs with a fair start.

        Returns
        -------
        dict of str to float
            NaN if there is nothing to average.

        Raises
        ------
        ValueError
            For a threshold below 1, a trim that leaves nothing, or a wrong number of fair starts.
        """
        return metrics_of(self, threshold=threshold, trim=trim, fair_start=fair_start)

    def fair_start(
        self,
        sample: int | None = None,
        seed: int = 0,
        *,
        progress: Callable[[float], object] | None = None,
    ) -> Int64:
        """Return the time at which each job would have started if no later job had arrived.

        A job that starts after its fair start was delayed by later jobs [1]_. "Later" means later
        in the trace. For a job that was interrupted and ran again, both times are those of its
        first attempt. The values are exact: for each job, a copy of the replay without the later
        jobs runs until the job starts. This needs up to one copy of the simulator per job (seconds
        for 30,000 jobs, hours for a million), so use `sample` on long traces.

        Parameters
        ----------
        sample : int, optional
            Number of jobs, sampled without replacement from those that started. Default: all.
        seed : int, default 0
            Seed of the sample, which is the same on every platform.
        progress : callable, optional
            Called about ten times a second with the fraction done, 0 to 1. An exception it raises
            ends the computation.

        Returns
        -------
        (n_jobs,) int64, seconds on the trace's clock
            -1 for jobs that never started and those outside the sample.

        Raises
        ------
        ValueError
            For a sample below 1 or a negative seed.

        References
        ----------
        .. [1] G. Sabin, P. Sadayappan: Unfairness metrics for space-sharing parallel job
           schedulers. JSSPP, 2005.
        """
        from slotwise.result.fair_start import fair_start_of

        return fair_start_of(self, sample, seed, progress)

    def priority_at(self, row: int, time: int) -> SlurmPriority:
        """Return the parts of a job's Slurm priority, under the ``multifactor`` order.

        Parameters
        ----------
        row : int
            The job's row in the trace.
        time : int
            Seconds on the trace's clock. The parts are those of the last recalculation before this
            time. After the job's start, they are those at its start.

        Raises
        ------
        ValueError
            For an order other than ``multifactor``, or a time before the job's submit time.
        IndexError
            For a row that the trace does not have.
        """
        from slotwise.explain.slurm_priority import priority_at

        return priority_at(self, row, time)

    def explain(self, job_id: int, *, row: int | None = None) -> Explanation:
        """Explain why a job waited: reasons over time, blocking jobs, and jobs that overtook it.

        Parameters
        ----------
        job_id : int
            Number of the job in the log.
        row : int, optional
            Row of the job in the trace, for a log in which several jobs have this number.

        Raises
        ------
        ValueError
            For a job that does not exist or never started. Also for a number that several jobs
            have; the message names their rows.
        """
        from slotwise.explain.explain import explain

        return explain(self, job_id, row=row)

    def metrics_by(
        self,
        by: str | ArrayLike,
        *,
        threshold: int = 10,
        trim: tuple[float, float] = (0, 0),
        sizes: Sequence[int] = (8,),
        lengths: Sequence[int] = (3600,),
    ) -> dict[Any, dict[str, float]]:
        """Return the per-job metrics of each group of jobs.

        Parameters
        ----------
        by : str or (n_jobs,) array_like
            ``"user"``, ``"group"``, ``"account"``, ``"qos"``, ``"executable"``, ``"partition"``,
            ``"state"``; ``"queue"`` (the site's queues if it has any, otherwise the trace's);
            ``"pool"``; ``"class"`` (size by length); or an array with one label per job.
        threshold, trim
            As in `metrics`; the measured span is that of the whole trace.
        sizes : sequence of int, processors, default (8,)
            The largest size of each class except the last, ascending.
        lengths : sequence of int, seconds, default (3600,)
            The longest run time (in the trace) of each class except the last, ascending. The
            defaults give the four classes of Srinivasan et al. [1]_: narrow or wide, short or long.

        Returns
        -------
        dict of label to (dict of str to float)
            In ascending order of labels; groups without jobs are left out. Classes are ordered by
            size, then length. Queues and pools are in the site's order; None, for jobs without
            one, comes last. `utilisation` is the group's share of the machine, so the values of all
            groups add up to that of the replay. The same holds for the shares of other resources on
            a machine with nodes, such as ``utilisation_of_gpus``.

        Raises
        ------
        ValueError
            For an unknown name, a wrong number of labels, or class limits not in ascending order.

        References
        ----------
        .. [1] S. Srinivasan, R. Kettimuthu, V. Subramani, P. Sadayappan: Characterization of
           backfilling strategies for parallel job scheduling. ICPP Workshops, 2002.
        """
        labels, codes = groups_of_result(self, by, sizes, lengths)
        rows = group_metrics_of(self, codes, len(labels), threshold=threshold, trim=trim)
        return dict(zip(labels, rows, strict=True))

    def timeline(self) -> dict[str, Int64]:
        """Return the state of the queue and the machine over time, as change points.

        Row i is valid from ``time[i]``, after all events of that second, until ``time[i + 1]``; the
        first row is at the trace's first submission. Jobs that never start do not count as queued.

        Returns
        -------
        dict of str to (n_changes,) int64
            ``time`` (seconds on the trace's clock), ``queued_jobs``, ``queued_processors`` (the
            requests of queued jobs) and ``busy_processors``. For a site with a calendar,
            ``available_processors`` (busy or free) is added.
        """
        return timeline_of(self)

    def state_counts(self) -> dict[State, int]:
        """Count the jobs in each state; the count is 0 for states without jobs."""
        counts = np.bincount(self.state, minlength=len(State))
        return {state: int(counts[state]) for state in State}

    rejections = reject_counts
    series = timeline
    states = state_counts
