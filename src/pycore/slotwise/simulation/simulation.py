"""Replays that advance step by step and can be inspected and changed between steps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.replay.interventions import interventions_of
from slotwise.replay.job_fields import job_fields, job_number
from slotwise.replay.placements import NO_PLACES
from slotwise.replay.run import stepped
from slotwise.replay.site_columns import pool_names
from slotwise.replay.to_core import core_policy, dispatch_of
from slotwise.replay.warnings.log import warn_of_log
from slotwise.result import Result
from slotwise.simulation import arguments
from slotwise.simulation.machine_state import Machine
from slotwise.simulation.snapshots import Snapshot, check_snapshot, opened_as
from slotwise.simulation.stepped_replay import SteppedReplay, current_trace, with_dependency
from slotwise.site import Site
from slotwise.site.policy.external import External

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slotwise._core import JobView
    from slotwise.site.policy import Policy
    from slotwise.trace import Trace


@opened_as
class Simulation:
    """A replay that advances on demand, and can be inspected and changed in between.

    A simulation stops between two instants: everything up to `now`, including the passes in that
    second, has happened. Before the first `run` or `step`, nothing has happened. After a change,
    the next `run` or `step` begins with another pass at `now`. ``copy.copy`` returns an independent
    simulation. Only one thread at a time may use a simulation; any number may share the trace.

    Parameters
    ----------
    trace : Trace
        The jobs; the trace may be empty if the site defines the machine.
    site : Site, optional
        Machine and policy. Default: the machine in the trace's header, FCFS with EASY backfilling.

    Raises
    ------
    SiteError
        If the size of the machine is unknown, or the policy cannot work on this trace.

    Examples
    --------
    >>> import slotwise as sw
    >>> trace = sw.Trace.from_columns([0, 10], [60, 60], [4, 4], max_processors=4)
    >>> sim = sw.Simulation(trace)
    >>> sim.run(until=10)
    >>> sim.queue.job_id, sim.machine.free
    (array([2]), 0)
    >>> number = sim.submit(processors=4, run_time=30)
    >>> sim.run()
    >>> sim.result().start
    array([  0,  60, 120])
    """

    def __init__(self, trace: Trace, site: Site | None = None) -> None:
        site = Site() if site is None else site
        arguments.check_trace_and_site(trace, site)
        processors = site.machine_for(trace).count
        warn_of_log(site, trace)
        core = stepped(trace, site, processors)
        self._take(SteppedReplay(core, trace, site, processors, 0.0, (site.policy,)))

    def _take(self, replay: SteppedReplay) -> None:
        self._core = replay.core
        self._trace = replay.trace
        self._site = replay.site
        self._processors = replay.processors
        self._seconds = replay.seconds
        self._policies = replay.policies
        self._queue = replay.core.queue()
        self._running = replay.core.running()

    @classmethod
    def _of(cls, replay: SteppedReplay) -> Simulation:
        simulation = object.__new__(cls)
        simulation._take(replay)
        return simulation

    def _replay(self) -> SteppedReplay:
        parts = (self._site, self._processors, self._seconds, self._policies)
        return SteppedReplay(self._core, self.trace, *parts)

    def __copy__(self) -> Simulation:
        return self._of(self._replay().copy())

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.__copy__()

    def __repr__(self) -> str:
        return (
            f"<Simulation: now {self.now}; {len(self.queue):,} waiting, "
            f"{len(self.running):,} running, {self.machine.free:,} of "
            f"{self._processors:,} processors free{'; done' if self.done else ''}>"
        )

    @property
    def now(self) -> int:
        """Seconds on the trace's clock; at the beginning, the first submit time."""
        return self._core.now

    @property
    def next_event(self) -> int | None:
        """Time of the next event, in seconds on the trace's clock; None if there is none."""
        return self._core.next_event

    @property
    def done(self) -> bool:
        """True if nothing will happen unless a job is submitted, released or cancelled."""
        return self._core.next_event is None

    @property
    def trace(self) -> Trace:
        """The jobs, including those added with `submit`: one row per job, by submit time."""
        self._trace = current_trace(self._core, self._trace)
        return self._trace

    @property
    def site(self) -> Site:
        """The current machine and policy."""
        return self._site

    @property
    def queue(self) -> JobView:
        """The waiting jobs, including held ones, in trace order, as columns.

        The columns are ``row`` (in `trace`), ``job_id``, ``submit``, ``processors``,
        ``requested_time`` and ``held``. ``user``, ``group``, ``executable``, ``queue`` and
        ``partition`` are those of the log, -1 if unknown. ``site_queue`` is an index into the
        site's queues, -1 for none. The arrays are read-only, and are not updated when the
        simulation advances.
        """
        return self._queue

    @property
    def running(self) -> JobView:
        """The running jobs in order of start, with ``start``, ``pool`` and the columns of `queue`.

        ``pool`` is an index into the site's pools; -1 without pools, or if the job has several.
        """
        return self._running

    @property
    def machine(self) -> Machine:
        """The number of processors, and how many are free in total and in each pool."""
        free = dict(zip(pool_names(self._site), self._core.free_in_pools, strict=False))
        return Machine(self._processors, self._core.free, free)

    @property
    def slots(self) -> NDArray[np.int32]:
        """The slots (runs of free nodes) of a torus in node order: one row [begin, end) each."""
        if (found := self._core.slots()) is None:
            raise ValueError(NO_PLACES)
        return found

    def result(self) -> Result:
        """Return the replay so far as a `Result`, with one row per job in `trace`.

        Jobs that have not started, including those yet to come, are `State.WAITING`; running jobs
        are `State.RUNNING` with the end they will have. When `done`, the result is the same as that
        of `simulate` for the same jobs.
        """
        parts = (self._core.schedule(), self._processors, self._seconds)
        changes = interventions_of(self._core.changes(), self._policies)
        return Result(self.trace, self._site, *parts, by_hand=changes)

    def run(
        self, until: int | None = None, *, progress: Callable[[float], object] | None = None
    ) -> None:
        """Advance to the end of the replay, or up to and including `until`.

        Parameters
        ----------
        until : int, seconds on the trace's clock, optional
            Last second to handle, which becomes `now`. Nothing happens before the first submission.
        progress : callable, optional
            Called about ten times a second with the fraction of the replay done, 0 to 1. An
            exception it raises ends the call between two instants; the simulation can continue from
            there.

        Raises
        ------
        ValueError
            For a time before `now`.
        ReplayError
            As for `simulate`; `step` raises the same error.
        RuntimeError
            If another thread is using the simulation.
        """
        until = arguments.checked_until(until)
        arguments.check_progress(progress)
        began = time.perf_counter()
        try:
            self._core.run(until, progress)
        finally:
            self._seconds += time.perf_counter() - began

    def step(self) -> bool:
        """Advance up to and including the next scheduling pass; return False if there is none."""
        began = time.perf_counter()
        try:
            return self._core.step()
        finally:
            self._seconds += time.perf_counter() - began

    def submit(
        self,
        *,
        processors: int,
        run_time: int,
        requested_time: int | None = None,
        submit: int | None = None,
        job_id: int | None = None,
        user: int = -1,
        group: int = -1,
        executable: int = -1,
        queue: int = -1,
        partition: int = -1,
        preceding_job: int = -1,
        think_time: int = -1,
        eligible: int = -1,
        array_id: int = -1,
        array_task: int = -1,
        array_limit: int = -1,
        dependency: str = "",
    ) -> int:
        """Submit a job.

        The job becomes a row of `trace`, after those with the same submit time. A job that no queue
        accepts, or that exceeds a limit, becomes `State.REJECTED` with its ``reject_reason``.

        Parameters
        ----------
        processors : int
            No more than the machine has. (In a trace, a larger job is rejected.)
        run_time : int, seconds
            Real run time, which the scheduler knows in advance only under exact estimates.
        requested_time : int, seconds, optional, default `run_time`
        submit : int, seconds on the trace's clock, optional
            Submit time, at or after `now`. Default: `now`.
        job_id : int, optional
            Default: one more than the largest so far.
        user, group, executable, queue, partition, preceding_job, think_time, array_id, \
array_task, array_limit : int
            As in a trace; -1 means unknown.
        eligible : int, seconds on the trace's clock
            Earliest start; the job joins the queue then.
        dependency : str
            Conditions on jobs submitted earlier, such as ``afterok:12:13,singleton``.

        Returns
        -------
        int
            The job_id.

        Raises
        ------
        ValueError
            For a value that is out of range or not a whole number, more processors than the machine
            has, or a job_id in use.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        trace, fields, conditions = with_dependency(self._trace, given)
        number = self._core.submit(job_fields(self.now, **fields), conditions)
        self._trace = trace
        return number

    def cancel(self, job_id: int) -> None:
        """Cancel a job; a running job ends now.

        Raises
        ------
        ValueError
            For an unknown job_id, or a job that has ended.
        """
        self._core.cancel(job_number(job_id))

    def hold(self, job_id: int) -> None:
        """Keep a waiting or future job from starting until it is released."""
        self._core.hold(job_number(job_id))

    def release(self, job_id: int) -> None:
        """Let a held job start; its wait is measured from its submit time."""
        self._core.release(job_number(job_id))

    def set_priority(self, job_id: int, priority: float) -> None:
        """Move a job ahead of all jobs with a lower priority, regardless of the policy's order.

        Parameters
        ----------
        job_id : int
            A waiting or future job.
        priority : float
            Jobs with a higher priority go first; the default is 0.
        """
        number = arguments.checked_priority(priority, self._site)
        self._core.set_priority(job_number(job_id), number)

    def set_policy(self, policy: Policy | str) -> None:
        """Continue under another policy, with the current waiting and running jobs.

        Promises and reservations of the old policy are dropped; `conservative` makes a new promise
        to every waiting job. Running jobs keep their end times.

        Parameters
        ----------
        policy : Policy, or str (the name of a preset)

        Raises
        ------
        SiteError
            For a policy that cannot replace the current one in the middle of a replay.
        """
        site = arguments.site_with(policy, self._site)
        try:
            core = core_policy(site.policy, self._trace)
            self._core.set_policy(core, dispatch_of(site.policy, site.machine))
        except ValueError as fault:
            raise SiteError(str(fault)) from None
        self._site, self._policies = site, (*self._policies, site.policy)

    def estimate_start(
        self,
        *,
        processors: int,
        requested_time: int,
        submit: int | None = None,
        user: int = -1,
        group: int = -1,
        executable: int = -1,
        queue: int = -1,
        partition: int = -1,
        preceding_job: int = -1,
        think_time: int = -1,
        eligible: int = -1,
        array_id: int = -1,
        array_task: int = -1,
        array_limit: int = -1,
        dependency: str = "",
    ) -> int | None:
        """Estimate when a job would start if it were submitted.

        The estimate assumes that no other job arrives after `now`. Every running or waiting job is
        assumed to run for its requested time, or for its real run time under exact estimates. A
        job past its requested time is assumed to end in the next second. Held jobs stay held, and
        priorities and the policy do not change. The simulation itself is not changed.

        Parameters
        ----------
        processors, requested_time, …
            As in `submit`.

        Returns
        -------
        int or None
            Seconds on the trace's clock. None if the site rejects the job (``reject_reason``),
            if it depends on a held or cancelled job, or if held jobs of its user use up
            ``queued_per_user``.

        Raises
        ------
        ValueError
            As for `submit`.
        SiteError
            Under an external dispatcher, because its decisions cannot be predicted.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        if isinstance(self._site.policy, External):
            msg = "an external dispatcher cannot be predicted; run a copy of the simulation instead"
            raise SiteError(msg)
        _, fields, conditions = with_dependency(self._trace, given)
        asked = job_fields(self.now, run_time=requested_time, **fields)
        return self._core.estimate_start(asked, conditions)

    def snapshot(self) -> Snapshot:
        """Return the current state, from which `restore` creates simulations."""
        return Snapshot(self._replay().copy())

    @classmethod
    def restore(cls, snapshot: Snapshot) -> Simulation:
        """Return a new simulation that continues from `snapshot`."""
        check_snapshot(snapshot)
        return cls._of(snapshot._replay.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return Simulation.restore, (self.snapshot(),)
