"""A site: everything in a replay except the trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Self

from slotwise._files import written_whole
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.site.checks import is_plain, site_faults
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.machine import Processors, SiteMachine
from slotwise.site.parts import (
    Clock,
    Crashes,
    Interruption,
    Limits,
    Maintenance,
    NamedLimits,
    Outage,
    PlacementEffect,
    Pool,
    Queue,
    Reservation,
)
from slotwise.site.policy import Policy
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from slotwise.trace import Trace


@dataclass(frozen=True, slots=True)
class Site:
    """Everything in a replay except the trace, as a plain value.

    Sites are hashable, and equal if all their parts are; `replace` makes a changed copy. Every
    result contains its site. docs/sites.md explains the parts.

    Parameters
    ----------
    machine : Processors, Torus, Nodes or int, optional
        Default: the size in the trace's header.
    policy : Policy, str or mapping, default Policy()
        A string names a preset, such as ``"pyss"``; a mapping has the fields of `Policy`, and
        ``preset``.
    pools : sequence of Pool, optional
        Default: one pool of all processors. Processors outside all pools stay idle.
    queues : sequence of Queue, optional
        In the order in which they are tried for a job. Default: one queue for all jobs and pools.
    limits : Limits, optional
    maintenance : sequence of Maintenance, optional
    outages : sequence of Outage, optional
    crashes : Crashes, optional
    interruption : Interruption, optional
        Treatment of jobs killed by maintenance windows, outages or crashes.
    reservations : sequence of Reservation, optional
    dependencies : bool, default False
        True: the replay obeys the dependencies and array limits in the trace.
    clock : Clock, optional
        For traces whose header does not state the date of time 0.
    placement : PlacementEffect, optional
        Effect of the positions of a job's nodes on its run time, on a torus.
    named_limits : sequence of NamedLimits, optional
        Limits on the jobs of some users, groups, accounts or QOSes.

    Raises
    ------
    SiteError
        If parts contradict each other; the message lists the contradictions, one per line.
    """

    machine: SiteMachine | int | None = None
    policy: Policy = field(default_factory=Policy)
    pools: Sequence[Pool] = ()
    queues: Sequence[Queue] = ()
    limits: Limits = field(default_factory=Limits)
    maintenance: Sequence[Maintenance] = ()
    outages: Sequence[Outage] = ()
    crashes: Crashes = field(default_factory=Crashes)
    interruption: Interruption = field(default_factory=Interruption)
    reservations: Sequence[Reservation] = ()
    dependencies: bool = False
    clock: Clock = field(default_factory=Clock)
    placement: PlacementEffect = field(default_factory=PlacementEffect)
    named_limits: Sequence[NamedLimits] = ()

    def __post_init__(self) -> None:
        if (count := whole(self.machine)) is not None:
            object.__setattr__(self, "machine", Processors(count))
        if isinstance(self.policy, str):
            object.__setattr__(self, "policy", Policy.preset(self.policy))
        elif isinstance(self.policy, Mapping):
            object.__setattr__(self, "policy", Policy.from_dict(self.policy))
        faults = list(self._kinds())
        if not faults:
            faults = list(site_faults(self))
        if faults:
            raise FaultsError(faults)

    def _kinds(self) -> Iterable[Fault]:
        """Convert lists to tuples, and find parts of the wrong type."""
        if self.machine is not None and not isinstance(self.machine, SiteMachine):
            yield Fault(
                (),
                f"machine {shown(self.machine)}: pass a machine, such as Processors(1152) or "
                "Torus((40, 32, 32))",
            )
        if not isinstance(self.policy, Policy):
            yield Fault((), f"policy {shown(self.policy)}: pass a Policy, or the name of a preset")
        for name, (table, kind) in LISTS.items():
            value = getattr(self, name)
            parts = [] if value is None else [value] if isinstance(value, kind) else value
            if isinstance(parts, str | Mapping) or not isinstance(parts, Iterable):
                parts = [parts]
            object.__setattr__(self, name, tuple(parts))
            for index, part in enumerate(getattr(self, name)):
                if not isinstance(part, kind):
                    yield Fault((table, index), f"{shown(part)}: pass a {kind.__name__}")
        for name, kind in SINGLES.items():
            value = getattr(self, name)
            if value is None:
                object.__setattr__(self, name, kind())
            elif not isinstance(value, kind):
                yield Fault((name,), f"{shown(value)}: pass {kind.__name__}(...)")
        if not isinstance(self.dependencies, bool):
            yield Fault(("dependencies",), f"{shown(self.dependencies)}: it must be true or false")

    @classmethod
    def from_toml(cls, path: str | PathLike[str]) -> Site:
        """Read a site file; one error lists every fault in it, with the path.

        Raises
        ------
        SiteError
            For a file that cannot be read, unknown keys, and values out of range.
        """
        from slotwise.site.toml.reader import read_fields

        return cls(**read_fields(path))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the site as plain values in the form of a site file, without defaults."""
        tables: dict[str, Any] = {}
        if isinstance(self.machine, SiteMachine):
            tables["machine"] = self.machine.to_dict()
        tables["policy"] = self.policy.to_dict()
        for each in fields(self)[2:]:
            value = getattr(self, each.name)
            if each.name in LISTS and value:
                tables[LISTS[each.name][0]] = [part.to_dict() for part in value]
            elif each.name in SINGLES and value.to_dict():
                tables[each.name] = value.to_dict()
            elif each.name == "dependencies" and value:
                tables[each.name] = True
        return tables

    def to_toml(self, path: str | PathLike[str] | None = None) -> str:
        """Return the text of a site file that reads back as this site.

        Parameters
        ----------
        path : path-like, optional
            A file to which the text is also written, atomically.

        Raises
        ------
        SiteError
            If orders or dispatchers are functions, which a file cannot contain; the message names
            them.
        OSError
            If the file cannot be written.
        """
        from slotwise.site.toml.writer import site_text

        text = site_text(self.to_dict(), self.policy, self.queues)
        if path is not None:
            with written_whole(path) as file:
                file.write(text.encode())
        return text

    @property
    def is_plain(self) -> bool:
        """True if the machine and the policy alone determine which jobs start."""
        return is_plain(self)

    def machine_for(self, trace: Trace) -> SiteMachine:
        """Return the machine of this site, or the one in the trace's header.

        Raises
        ------
        SiteError
            If neither states a size.
        """
        if isinstance(self.machine, SiteMachine):
            return self.machine
        if trace.max_processors is None and trace.demands is not None:
            asked = ", ".join(trace.demands.each)
            msg = (
                f"{trace.source or 'the trace'} is from a machine with nodes: its jobs request "
                f"units of {asked}. Describe the nodes in a site file, for example with "
                '[machine] nodes = [{ count = 32, cores = 16, memory = "16GB" }], or pass a '
                "slurm.conf with --nodes; --processors N would count only cores"
            )
            raise _with_python(msg, "Site(machine=Nodes([NodeType(count=32, cores=16)]))")
        if trace.max_processors is None:
            msg = (
                "the size of the machine is unknown, because "
                f"{trace.source or 'the trace'} does not state it (SWF: MaxProcs or MaxNodes in "
                "the header); set it with --processors N, or with [machine] processors = N in a "
                "site file (slotwise site from-log prints one)"
            )
            raise _with_python(msg, "Site(machine=1152)")
        return Processors(trace.max_processors)


def _with_python(message: str, remedy: str) -> SiteError:
    """Return an error with a note for Python users, which the command line does not print."""
    fault = SiteError(message)
    fault.add_note(f"In Python: {remedy}")
    return fault
