"""Replays on machines with nodes, in which the agent chooses a job and its nodes.

The agent acts as an external dispatcher. A scheduling pass that needs a decision ends with an
exception, and runs again after the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._numbers import whole
from slotwise.errors import ReplayError
from slotwise.rl.faults import RefusedPlacementError
from slotwise.rl.simulated import AskedError, SimulatedReplay
from slotwise.simulation.simulation import Simulation
from slotwise.site.policy.external import External
from slotwise.trace.demand_rules import Exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise._core import JobView, MachineView

    Placement = tuple[int, list[int] | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """One pass as the agent sees it: the jobs that may start, and the free amounts on each node."""

    now: int
    rows: NDArray[np.int64]
    numbers: NDArray[np.int64]
    units: NDArray[np.int64]
    room: NDArray[np.int64]  # (window, n_nodes): how many units of the job the node can take
    free: dict[str, NDArray[np.int64]]

    def can_start(self) -> NDArray[np.bool_]:
        """Return True for each job in the window for which the nodes have room for all units."""
        n = len(self.room)
        can: NDArray[np.bool_] = self.room.sum(axis=1) >= self.units[:n]
        return can


class PlacedReplay(SimulatedReplay):
    """One episode on a machine with nodes; each decision starts one job, or none."""

    def _begun(self) -> Simulation:
        """Return the simulation just before the agent's first pass."""
        site = self.options.site
        policy = self.options.policies[0]
        outside = External(self._dispatch, passes=policy.passes, kill_at_limit=policy.kill_at_limit)
        self._answer_due: list[Placement] | None = None
        self._asked: Asked | None = None
        if int(self._jobs.submit[0]) >= self._begin:
            return Simulation(self._jobs, site.replace(policy=outside))
        simulation = Simulation(self._jobs, site)
        simulation.run(until=self._begin - 1)
        simulation.set_policy(outside)
        return simulation

    def _dispatch(self, queue: JobView, machine: MachineView) -> list[Any] | None:
        if self._answer_due is not None:
            answer, self._answer_due = self._answer_due, None
            return [number if nodes is None else (number, nodes) for number, nodes in answer]
        if len(queue) == 0:
            return None
        asked = self._shown_in_pass(queue, machine)
        if not asked.can_start().any():
            return None
        self._asked = asked
        raise AskedError(asked.now)

    def _shown_in_pass(self, queue: JobView, machine: MachineView) -> Asked:
        free = machine.free_on_nodes
        n = min(len(queue), self.options.window)
        nodes = self.options.nodes
        room = np.zeros((n, nodes.n_nodes), np.int64)
        capacity = nodes._node_capacities
        is_empty = np.all(
            [free[r] == capacity[:, i] for i, r in enumerate(nodes.resources)], axis=0
        )
        each, per_node, exclusive = queue.each, queue.per_node, queue.exclusive
        for i, number in enumerate(queue.job_id[:n].tolist()):
            usable = machine.nodes_for(number)
            taken = np.full(len(usable), int(queue.units[i]))
            for resource, amounts in each.items():
                if amounts[i] > 0:
                    taken = np.minimum(taken, free[resource][usable] // amounts[i])
            if per_node[i] > 0:
                taken = np.minimum(taken, per_node[i])
            if exclusive[i] == Exclusive.JOB:
                taken = np.minimum(taken, is_empty[usable])
            room[i, usable] = taken
        return Asked(
            machine.now, queue.row.astype(np.int64), queue.job_id.astype(np.int64),
            queue.units.astype(np.int64), room, free,
        )  # fmt: skip

    def step(self, choice: Any) -> tuple[Any, ...]:
        """Start a job on the chosen nodes, or start no job, and continue to the next decision."""
        job, nodes = self._checked_placement(choice)
        asked = self._asked
        assert asked is not None
        refuses = self.options.masked == "error"
        if job < self.options.window and not self._mask()[job]:
            if refuses:
                raise RefusedPlacementError(
                    f"position {job} has no job that can start now; choose a position that the "
                    f"action mask allows, or {self.options.window} to start no job"
                )
            self.n_masked += 1
            job = self.options.window
        if job == self.options.window:
            self._move([])
            return self._stepped(choice)
        number = int(asked.numbers[job])
        try:
            self._move([(number, nodes)])
        except ReplayError as fault:
            if refuses:
                raise RefusedPlacementError(str(fault)) from None
            self.n_masked += 1
            self._place_by_rule(number)
        return self._stepped(choice)

    def _place_by_rule(self, number: int) -> None:
        try:
            self._move([(number, None)])
        except ReplayError:  # the amounts fit, but the placement rules cannot be met
            self._move([])

    def _checked_placement(self, choice: Any) -> tuple[int, list[int] | None]:
        if self.done:
            raise ValueError("the episode is over; call reset() before the next step")
        if not isinstance(choice, Mapping) or set(choice) != {"job", "nodes"}:
            raise ValueError(
                f"the action is {choice!r:.60}; pass a dict with 'job' and 'nodes', as in "
                "action_space"
            )
        job = whole(choice["job"])
        if job is None or not 0 <= job <= self.options.window:
            raise ValueError(
                f"job is {choice['job']!r}; it must be a position from 0 to {self.options.window} "
                f"({self.options.window} starts no job)"
            )
        chosen = np.asarray(choice["nodes"])
        n = self.options.nodes.n_nodes
        if chosen.shape != (n,) or not np.isin(chosen, (0, 1)).all():
            raise ValueError(
                f"nodes is {choice['nodes']!r:.60}; it must have {n} values: 1 for each node of "
                "the job, and 0 for the others"
            )
        nodes = np.flatnonzero(chosen).tolist()
        return job, nodes or None

    def _move(self, answer: list[Placement]) -> None:
        """Run the pass with the agent's decision, and continue to the next decision."""
        asked = self._asked
        assert asked is not None
        self._answer_due = answer
        simulation = self._simulation
        try:
            simulation.run(until=asked.now)
        except AskedError as further:  # another pass at the same time needs a decision
            self.now = further.now
            return
        finally:
            self._answer_due = None
        started = {number for number, _ in answer}
        others = [number for number in asked.numbers.tolist() if number not in started]
        if started and others:
            simulation.hold(others[0])  # a hold and a release trigger another pass
            simulation.release(others[0])
        self._go_on()

    def _read(self) -> None:
        super()._read()
        if not self.done and self._asked is not None:
            self._waiting = self._asked.rows

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(self.options.n_choices, np.int8)
        if self.done or self._asked is None:
            return mask
        can_start = self._asked.can_start()
        mask[: len(can_start)] = can_start
        mask[-1] = 1
        return mask

    @property
    def free_on_nodes(self) -> dict[str, NDArray[np.int64]]:
        """Free amounts by resource and node; all amounts are free at the end of the episode."""
        nodes = self.options.nodes
        if self.done or self._asked is None:
            capacity = nodes._node_capacities
            return {name: capacity[:, i].copy() for i, name in enumerate(nodes.resources)}
        return self._asked.free

    @property
    def room(self) -> NDArray[np.int64]:
        """Number of units that each node can take now, for each job in the window."""
        if self.done or self._asked is None:
            return np.zeros((0, self.options.nodes.n_nodes), np.int64)
        return self._asked.room

    def free_shares(self) -> NDArray[np.float32]:
        """Return the free share of each resource on each node, from 0 to 1."""
        nodes = self.options.nodes
        capacity = nodes._node_capacities
        free = np.stack([self.free_on_nodes[name] for name in nodes.resources], axis=1)
        shares: NDArray[np.float32] = (free / np.maximum(capacity, 1)).astype(np.float32)
        return shares
