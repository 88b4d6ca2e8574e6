"""A recording together with its slurm.conf and accounts: everything needed to test rules on it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reference.slurm.conf import read_conf
from reference.slurm.fair_share import read_accounts
from reference.slurm.multifactor import Multifactor
from reference.slurm.node_sets import members
from reference.slurm.rules import Rules
from slurm.priority_history import PriorityHistory
from slurm.recording import Recording
from slurm.second_steps import SecondSteps
from slurm.steps import EventSteps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reference.slurm.fair_share import Shares
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from slurm.steps import Step

RECORDINGS = Path(__file__).parent / "recordings"


@dataclass(frozen=True)
class Case:
    """A recording, and the machine, parameters and shares under which it was made.

    `first_renewal` is the time at which age and fair share were first recalculated, if the
    recording does not show it.
    """

    recording: Recording
    machine: Machine
    parameters: Parameters
    shares: Shares | None = None
    first_renewal: int | None = None

    @classmethod
    def named(cls, name: str, rules: Rules | None = None) -> Case:
        """Return one of the repository's recordings."""
        csv, conf = RECORDINGS / f"{name}.csv", RECORDINGS / f"{name}.conf"
        return cls.read(csv, conf, rules=rules)

    @classmethod
    def read(
        cls,
        csv: Path,
        conf: Path,
        accounts: Path | None = None,
        first_renewal: int | None = None,
        rules: Rules | None = None,
    ) -> Case:
        """Return a recording in the lab's format.

        Accounts and the first recalculation default to NAME.accounts and NAME.renewal, if these
        files are beside the recording or its slurm.conf.

        Raises
        ------
        ValueError
            If the slurm.conf lacks a partition or a node of the recorded jobs.
        """
        rules = rules or Rules()
        machine, parameters = read_conf(conf, by_name=rules.nodes_by_name)
        recording = Recording(csv)
        for each in recording.jobs.values():
            if each.job.partition not in machine.partitions:
                raise ValueError(
                    f"{conf} has no partition {each.job.partition!r} of job {each.job.number}; use "
                    "the slurm.conf of the recording"
                )
        _check_nodes(recording, machine, conf)
        if not rules.nodes_by_name:
            numbers = [int(node.name.lstrip("n")) for node in machine.nodes]
            recording.renumber({number: place for place, number in enumerate(numbers, 1)})
        accounts = accounts or _beside(csv, conf, ".accounts")
        if first_renewal is None and (file := _beside(csv, conf, ".renewal")):
            first_renewal = int(file.read_text(encoding="ascii"))
        if accounts is None:
            return cls(recording, machine, parameters)
        shares, most = read_accounts(accounts.read_text(encoding="utf-8").splitlines())
        parameters = dataclasses.replace(parameters, jobs_per_user=most)
        return cls(recording, machine, parameters, shares, first_renewal)

    def steps(self, rules: Rules | None = None, *, only_changed: bool = False) -> Iterable[Step]:
        """Return the steps; `only_changed` applies to recordings without events (SecondSteps)."""
        rules = rules or Rules()
        if self.recording.events:
            return EventSteps(self.recording, self.machine, self.parameters.bf_window, rules)
        return SecondSteps(self.recording, self.priority(rules), only_changed=only_changed)

    def priority(self, rules: Rules | None = None) -> Callable[[Job, int], float]:
        """Return a function that gives a job's priority where the recording does not show it.

        Without slurmdbd, age and fair share stay 0.
        """
        weights = self.parameters.multifactor
        if weights is None:
            return lambda job, now: 0.0
        if self.shares is not None and self.first_renewal is not None:
            history = PriorityHistory(
                self.recording, self.machine, weights, self.shares, self.first_renewal
            )
            return history.at
        multifactor = Multifactor(self.machine, weights, rules or Rules())
        return lambda job, now: float(multifactor.priority(job))


def _beside(csv: Path, conf: Path, suffix: str) -> Path | None:
    """Return the file with this suffix beside the recording or its slurm.conf, if there is one."""
    files = (csv.with_suffix(suffix), conf.with_suffix(suffix))
    return next((file for file in files if file.exists()), None)


def _check_nodes(recording: Recording, machine: Machine, conf: Path) -> None:
    """Raise ValueError if a job ran on a node that the slurm.conf lacks.

    A recording numbers nodes from 1, and the lab calls them n1, n2 and so on.
    """
    names = {node.name for node in machine.nodes}
    for each in recording.jobs.values():
        for name in (f"n{place + 1}" for place in members(each.nodes)):
            if name not in names:
                raise ValueError(
                    f"no NodeName line of {conf} has {name}, on which job {each.job.number} ran; "
                    "use the slurm.conf of the recording, or add its NodeName lines"
                )
