"""Replays that are stepped through, looked at, and changed as they go."""

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
from slotwise.result import Result
from slotwise.simulation import arguments
from slotwise.simulation.machine_state import Machine
from slotwise.simulation.snapshots import Snapshot, check_snapshot, opened_as
from slotwise.simulation.stepped_replay import SteppedReplay, current_trace
from slotwise.site import Site
from slotwise.site.external import External

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slotwise._core import JobView
    from slotwise.site.policy import Policy
    from slotwise.trace import Trace


@opened_as
class Simulation:
    """A replay that goes on when it is told to, and can be looked at and changed in between.

    It rests between two instants: everything up to `now` has happened, the passes of that second
    included; before the first move nothing has. What is changed then takes effect at `now`, in a
    further pass of the same instant, as the simulation next moves. ``copy.copy`` gives one that
    goes on by itself.

    One thread at a time may use a simulation; the trace is shared by any number.

    Parameters
    ----------
    trace : Trace
        The jobs to come; it may have none, where the site gives the machine.
    site : Site, optional
        Machine and policy. Default: the machine of the trace's header, fcfs, easy backfilling.

    Raises
    ------
    SiteError
        If the size of the machine is not known, or the policy cannot work on this trace.
    TypeError
        If an argument is no trace or no site.

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
        """Seconds on the trace's clock; before the first move, its first submit."""
        return self._core.now

    @property
    def next_event(self) -> int | None:
        """When something happens next, in seconds on the trace's clock; None where nothing does."""
        return self._core.next_event

    @property
    def done(self) -> bool:
        """Whether nothing happens any more unless a job is submitted, released or cancelled."""
        return self._core.next_event is None

    @property
    def trace(self) -> Trace:
        """The jobs, those submitted by hand included: a row each, sorted by submit."""
        self._trace = current_trace(self._core, self._trace)
        return self._trace

    @property
    def site(self) -> Site:
        """Machine and policy as they stand."""
        return self._site

    @property
    def queue(self) -> JobView:
        """The waiting jobs, held ones among them, in trace order, as columns.

        ``row`` (in `trace`), ``job_id``, ``submit``, ``processors``, ``requested_time``, ``held``
        and what the log says of each: ``user``, ``group``, ``executable``, ``queue``,
        ``partition`` (-1 unknown), and ``site_queue``, a position in the site's queues (-1 none).
        The arrays are read-only views of memory the engine filled; they keep it alive and never
        change: after a move, ask for them again.
        """
        return self._queue

    @property
    def running(self) -> JobView:
        """The running jobs in the order they started: columns as of `queue`, ``start``, ``pool``.

        ``pool`` is a position in the site's pools; -1 where there is none, or the job has several.
        """
        return self._running

    @property
    def machine(self) -> Machine:
        """How many processors there are, and how many are free, in each pool too."""
        free = dict(zip(pool_names(self._site), self._core.free_in_pools, strict=False))
        return Machine(self._processors, self._core.free, free)

    @property
    def slots(self) -> NDArray[np.int32]:
        """On a torus: the free nodes as maximal runs of the node order, (n, 2): [begin, end)."""
        if (found := self._core.slots()) is None:
            raise ValueError(NO_PLACES)
        return found

    def result(self) -> Result:
        """Return what has happened so far as a `Result` over the jobs of `trace`.

        Jobs that have not started, those yet to come among them, are `State.WAITING`; those that
        run are `State.RUNNING` with the end they will have. When `done`, it is what `simulate`
        returns for the same jobs.
        """
        schedule = self._core.schedule()
        parts = (schedule, self._processors, self._seconds, schedule.places)
        by_hand = interventions_of(self._core.changes(), self._policies)
        return Result(self.trace, self._site, *parts, by_hand=by_hand)

    def run(
        self, until: int | None = None, *, progress: Callable[[float], object] | None = None
    ) -> None:
        """Go on to the end, or through `until`.

        Parameters
        ----------
        until : int, seconds on the trace's clock, optional
            Everything up to and including this second happens; then `now` is it. Before the first
            submit nothing happens.
        progress : callable, optional
            Called about ten times a second with the part of the replay done, 0 to 1. What it raises
            ends the move between two instants, from where it can go on.

        Raises
        ------
        ValueError
            For a time before `now`.
        ReplayError
            As `simulate`; the same holds of `step`.
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
        """Go on to the next decision: through the next instant that has a scheduling pass.

        Returns
        -------
        bool
            False where nothing was left to happen.
        """
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
    ) -> int:
        """Submit a job.

        It becomes a row of `trace`, behind those with the same submit. One that the site rejects,
        as no queue takes it or a limit is below it, is accepted here as in a trace: its state is
        `State.REJECTED`, and ``result().reject_reason`` says why.

        Parameters
        ----------
        processors : int
            At most those of the machine, or it is a ValueError; in a trace such a job is rejected.
        run_time : int, seconds
            How long it will really run; no scheduler sees it.
        requested_time : int, seconds, optional
            What it asks for. Default: `run_time`.
        submit : int, seconds on the trace's clock, optional
            At or after `now`. Default: `now`.
        job_id : int, optional
            Default: one more than the largest so far.
        user, group, executable, queue, partition, preceding_job, think_time : int
            As in a trace; -1 is unknown.

        Returns
        -------
        int
            Its job_id.

        Raises
        ------
        ValueError
            For a value that is no whole number or out of its range, more processors than the
            machine has, or a job_id in use.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return self._core.submit(job_fields(self.now, **given))

    def cancel(self, job_id: int) -> None:
        """Take a job out for good; one that runs ends now.

        Raises
        ------
        ValueError
            For an unknown number, or a job that has ended.
        """
        self._core.cancel(job_number(job_id))

    def hold(self, job_id: int) -> None:
        """Keep a job that waits, or is yet to come, from starting until it is released."""
        self._core.hold(job_number(job_id))

    def release(self, job_id: int) -> None:
        """Let a held job start; its wait counts from its submit."""
        self._core.release(job_number(job_id))

    def set_priority(self, job_id: int, priority: float) -> None:
        """Put a job before all of lower priority, whatever the policy's order says of them.

        Parameters
        ----------
        job_id : int
            A job that waits or is yet to come.
        priority : float
            Higher first; a job never given one has 0.
        """
        self._core.set_priority(job_number(job_id), arguments.checked_priority(priority))

    def set_policy(self, policy: Policy | str) -> None:
        """Go on under another policy, which finds who waits and who runs.

        What the old one promised or fixed is not kept: `conservative` promises every waiting job a
        start anew. Running jobs end when they would have. An `External` may take over, or give way,
        on any site of processors.

        Parameters
        ----------
        policy : Policy or str
            A string names a preset.

        Raises
        ------
        SiteError
            For a policy that cannot begin in the middle of a replay, or has another
            `kill_at_limit`.
        """
        site = self._site.replace(policy=policy)
        try:
            self._core.set_policy(core_policy(site.policy), dispatch_of(site.policy))
        except ValueError as fault:
            raise SiteError(str(fault)) from None
        self._site = site
        self._policies = (*self._policies, site.policy)

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
    ) -> int | None:
        """Say when a job would start if it were submitted, as far as one can know now.

        Every job that runs or waits is believed to take the time it requests (its real one under
        exact estimates; one that has outlived its request, to end the next second), and nobody
        else to come after `now`. Jobs held by hand stay held, and priorities and the policy are as
        they stand. The simulation stays as it is.

        Parameters
        ----------
        processors, requested_time, submit, user, …
            As of `submit`.

        Returns
        -------
        int or None
            Seconds on the trace's clock; None where it would never start: the site rejects it
            (``reject_reason``), or it waits for a job that never runs, being held or cancelled: one
            it depends on, or a held one that fills its user's ``queued_per_user``.

        Raises
        ------
        ValueError
            As `submit`.
        SiteError
            Under an outside dispatcher, which is not asked what it would do.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        if isinstance(self._site.policy, External):
            msg = "an outside dispatcher is not asked what it would do; estimate by a copy"
            raise SiteError(msg)
        return self._core.estimate_start(job_fields(self.now, run_time=requested_time, **given))

    def snapshot(self) -> Snapshot:
        """Keep the state as it is; `restore` makes simulations that go on from there."""
        return Snapshot(self._replay().copy())

    @classmethod
    def restore(cls, snapshot: Snapshot) -> Simulation:
        """Make a simulation that goes on from `snapshot`, any number of times."""
        check_snapshot(snapshot)
        return cls._of(snapshot._replay.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return Simulation.restore, (self.snapshot(),)
