"""A site described by Slurm's files, and remarks for the top of its file.

Example: ``describe_site("slurm.conf", gres="gres.conf", events="events.txt")`` returns a site with
nodes, queues and outages, or reports every fault of the three files at once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.formats.slurm_site.accounts import AccountShares
from slotwise.formats.slurm_site.gres import GresConf
from slotwise.formats.slurm_site.left_out import LeftOut, some_of
from slotwise.formats.slurm_site.machine import machine_of, nodes_of, types_of_gpus
from slotwise.formats.slurm_site.node_events import NodeEvents
from slotwise.formats.slurm_site.node_lines import NodeLines
from slotwise.formats.slurm_site.partition_lines import PartitionLines
from slotwise.formats.slurm_site.queues import idle_nodes, queues_of
from slotwise.formats.slurm_site.scheduler import KEYS, Scheduler
from slotwise.formats.slurm_site.settings import Faults, read_lines
from slotwise.site import Site
from slotwise.site.faults import FaultsError
from slotwise.site.policy.policy_values import SLURM_VERSIONS
from slotwise.site.policy.preset_names import check_version, nearest_version, release_of
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.formats.slurm_site.node_lines import NodeGroup
    from slotwise.formats.slurm_site.partition_lines import Partition
    from slotwise.formats.slurm_site.settings import Line
    from slotwise.site.machine.nodes import Nodes
    from slotwise.site.parts import Outage, Queue

_BEGIN = ("nodename", "partitionname", "nodeset", "nodes")
_SETTINGS = ("clustername", "selecttype", "selecttypeparameters")


@dataclass(frozen=True)
class DescribedSite:
    """A site, with sentences about the keys that were left out.

    Attributes
    ----------
    site : Site
    comments : tuple of str
        Remarks, then the keys that were left out, each with the reason.
    n_ignored : int
        The number of ignored settings that may affect when jobs start in Slurm; 0 without a
        version.
    unknown : tuple of str
        Keys that are not known, each with the key that is probably meant.
    """

    site: Site
    comments: tuple[str, ...]
    n_ignored: int = 0
    unknown: tuple[str, ...] = ()


def describe_site(
    conf: str | os.PathLike[str],
    gres: str | os.PathLike[str] | None = None,
    events: str | os.PathLike[str] | None = None,
    version: str | None = None,
    accounts: str | os.PathLike[str] | None = None,
) -> DescribedSite:
    """Describe a cluster by its ``slurm.conf``.

    Parameters
    ----------
    conf : path-like
        The ``slurm.conf``; files that it includes are read too.
    gres : path-like, optional
        Its ``gres.conf``, which names types of GPUs.
    events : path-like, optional
        Output of ``sacctmgr -P show events``, whose events become outages.
    version : str, optional
        Version of Slurm, ``"22.05"`` or ``"25.11"``, or one of their patch releases, such as
        ``"25.11.1"``. The site's policy is then the ``slurm`` preset with the settings of the file.
        Without a version, the site has the default policy.
    accounts : path-like, optional
        The file that ``sacctmgr dump`` writes; it has the shares of accounts and users.

    Raises
    ------
    SiteError
        If the files have faults; the message lists each with its file and line. Also if events are
        given together with a version, or accounts without one.
    """
    if version is not None and events is not None:
        raise SiteError(
            f"events {shown(os.fsdecode(events))} cannot be combined with a version of Slurm, "
            "because the slurm preset does not support outages yet; use only one of the two"
        )
    if accounts is not None and version is None:
        raise SiteError(
            f"accounts {shown(os.fsdecode(accounts))} need a version of Slurm, because only the "
            "slurm preset has shares of accounts; set a version, such as 25.11, or omit accounts"
        )
    faults = Faults()
    if version is not None:
        version = release_of(version)
        try:
            check_version(version)
        except SiteError as fault:
            # Check the files even if the version is not supported, to report all faults at once.
            faults.texts.append(str(fault))
            version = nearest_version(version) or SLURM_VERSIONS[-1]
    reader = _Reader(os.fsdecode(conf), version, faults)
    reader.read()
    if gres is not None:
        reader.gres = GresConf.read(os.fsdecode(gres), reader.faults, reader.left_out)
    if accounts is not None:
        reader.take_accounts(accounts)
    return reader.described("" if events is None else os.fsdecode(events))


@dataclass
class _Reader:
    source: str
    version: str | None = None  # version of Slurm, if the policy is the slurm preset
    faults: Faults = field(default_factory=Faults)
    left_out: LeftOut = field(default_factory=LeftOut)
    gres: GresConf = field(default_factory=GresConf)
    settings: dict[str, str] = field(default_factory=dict)

    # `_n_of_settings` counts the faults in settings and the repeated keys. `_seen` has the place
    # and value of each setting, by key. `_n_before` counts the faults found before the files were
    # read.
    _n_of_settings: int = 0
    _seen: dict[str, tuple[str, str]] = field(default_factory=dict)
    _n_before: int = 0
    knows_nodes: bool = True  # False if a line or file that might name nodes was not read

    def __post_init__(self) -> None:
        self._n_before = len(self.faults.texts)
        self.nodes = NodeLines(self.faults, self.left_out)
        self.partitions = PartitionLines(self.faults, self.left_out, self.version is not None)
        self.scheduler = None if self.version is None else Scheduler(self.faults, self.version)

    def read(self) -> None:
        for line in read_lines(self.source, _BEGIN, self.faults):
            self._take(line)
        explained = self.nodes.n_named_faults + self.partitions.n_faults + self._n_of_settings
        self.knows_nodes = len(self.faults.texts) - self._n_before == explained
        if not self.nodes.groups and len(self.faults.texts) == self._n_before:
            self.faults.add(
                self.source, "the file has no NodeName line; use the cluster's slurm.conf"
            )

    def take_accounts(self, path: str | os.PathLike[str]) -> None:
        shares = AccountShares.read(path, self.faults)
        if self.scheduler is not None:
            self.scheduler.take_shares(shares.table())
            self.left_out.remarks += shares.remarks
            self.left_out.n_that_matter += shares.limits.n_kinds

    def _take(self, line: Line) -> None:
        for fault in line.repeated:
            self.faults.add(line.place, fault)
        self._n_of_settings += len(line.repeated)
        if "nodename" in line.values:
            self.nodes.take(line)
        elif "partitionname" in line.values or "nodeset" in line.values:
            self.partitions.take(line)
        elif "nodes" in line.values:
            self.faults.add(line.place, "PartitionName= is missing; correct the line")
        elif "downnodes" in line.values:
            self.left_out.add("", line.written["downnodes"])
        elif not line.values:
            self.left_out.unread.append(line.place)
        else:
            self._take_settings(line)

    def _take_settings(self, line: Line) -> None:
        before = len(self.faults.texts)
        read = tuple(dict.fromkeys((*_SETTINGS, *(KEYS if self.scheduler else ()))))
        self.left_out.add_keys("", line, read)
        self._check_once(line, read)
        if self.scheduler:
            self.scheduler.take(line)
        self.settings |= {key: line.values[key] for key in _SETTINGS if key in line.values}
        self._n_of_settings += len(self.faults.texts) - before

    def _check_once(self, line: Line, read: Sequence[str]) -> None:
        """Refuse a setting that contradicts an earlier line; Slurm would use the last line."""
        for key in read:
            if key not in line.values or key == "epilog":  # Slurm runs all Epilogs
                continue
            value = line.values[key]
            place, earlier = self._seen.setdefault(key, (line.place, value))
            if value.lower() != earlier.lower():
                self.faults.add(
                    line.place,
                    f"{line.written[key]}={value:.60} contradicts {place}, which has "
                    f"{earlier:.60}; remove one of the two lines",
                )

    def described(self, events: str) -> DescribedSite:
        """Build the site.

        Raises
        ------
        SiteError
            If the files have faults; the message lists all of them.
        """
        policy = self.scheduler.policy() if self.scheduler else None
        groups = nodes_of(
            self.nodes.groups,
            self.gres,
            self.faults,
            self.left_out,
            by_weight=self.scheduler is None,
        )
        known = {*self.nodes.places} if self.knows_nodes else None
        queues = queues_of(
            self.partitions,
            groups,
            (known, self.nodes.future),
            self.faults,
            self.left_out,
            is_slurm=self.scheduler is not None,
        )
        outages = self._outages(events, groups) if events else []
        if self.scheduler is not None:
            self.settings.setdefault("selecttype", self.scheduler.default_select_type)
        machine = machine_of(groups, self.settings, self.faults, self.left_out)
        self.faults.check()
        assert machine is not None  # if it were None, `check` would have raised
        site = self._site(machine, queues, outages, events)
        if policy is not None and self.scheduler is not None:
            site = site.replace(policy=self.scheduler.with_tres(policy, machine.resources))
        remarks = [*self._remarks(groups, queues, machine), *self.left_out.remarks]
        self.left_out.remarks = remarks
        n_ignored = 0
        if self.scheduler:
            n_ignored = self.scheduler.n_that_matter + self.left_out.n_that_matter
        comments, unknown = tuple(self.left_out.comments()), tuple(self.left_out.unknown())
        return DescribedSite(site, comments, n_ignored, unknown)

    def _outages(self, events: str, groups: Sequence[NodeGroup]) -> list[Outage]:
        names = (name for group in groups for name in group.names)
        reader = NodeEvents(
            events, self.settings.get("clustername", ""), self.faults, self.left_out
        )
        return reader.outages({name: number for number, name in enumerate(names)})

    def _site(
        self,
        machine: Nodes,
        queues: Sequence[tuple[Partition, Queue]],
        outages: Sequence[Outage],
        events: str,
    ) -> Site:
        """Build the site; if its parts contradict each other, the error names the line at fault."""
        try:
            return Site(machine=machine, queues=[queue for _, queue in queues], outages=outages)
        except FaultsError as wrong:
            for fault in wrong.faults:
                table, index = (*fault.key, "", 0)[:2]
                place = events if table == "outage" else self.source
                if table == "queue" and isinstance(index, int):
                    place = queues[index][0].place
                self.faults.add(place, fault)
            self.faults.check()
            raise

    def _remarks(
        self,
        groups: Sequence[NodeGroup],
        queues: Sequence[tuple[Partition, Queue]],
        machine: Nodes,
    ) -> list[str]:
        """Explain the units of the site, and its differences from Slurm's files."""
        remarks = [
            f"The cluster described in {Path(self.source).name}. Cores are Slurm's CPUs, as "
            "counted by NCPUS in sacct. Memory is in KB. "
            f"{_IN_ORDER if self.scheduler else _BY_WEIGHT}"
        ]
        if self.scheduler:
            remarks += self.scheduler.remarks()
        if any(types_of_gpus(group.gres) for group in groups):
            remarks.append(
                "A GPU type is a feature of its nodes. A job whose log row has a type, as in "
                "ReqTRES gres/gpu:a100=2, gets GPUs of this type. Other jobs may get any GPUs."
            )
        if self.gres.detects:
            remarks.append(
                "AutoDetect in gres.conf is ignored: nodes have the devices that slurm.conf lists."
            )
        if other := self.gres.other_types:
            remarks.append(
                f"gres.conf and slurm.conf name different types of devices on nodes "
                f"such as {some_of(other)}; "
                "the types in slurm.conf are used."
            )
        if mixed := [group.hosts for group in groups if len(types_of_gpus(group.gres)) > 1]:
            remarks.append(
                f"GPUs of several types in the same node are counted together: {some_of(mixed)}."
            )
        if queues:
            remarks += _remarks_on_queues()
        if cut := [partition.name for partition, _ in queues if partition.is_cut]:
            remarks.append(
                f"In {some_of(cut)}, DefaultTime exceeds MaxTime; here, MaxTime is used instead."
            )
        if closed := self.partitions.closed:
            self.left_out.n_that_matter += len(closed)
            remarks.append(f"Open in this site, though slurm.conf closes them: {some_of(closed)}.")
        if idle := idle_nodes([queue for _, queue in queues], groups, machine):
            remarks.append(f"Idle, because they are in no partition: {some_of(idle)}.")
        self.nodes.remarks()
        return remarks


_IN_ORDER = (
    "Node types are listed by node name, as in Slurm. This order determines which nodes are "
    "neighbours."
)
_BY_WEIGHT = (
    "Node types are listed by Weight, and first-fit takes the first suitable nodes, so the "
    "lightest come first. [policy] has its default values."
)


def _remarks_on_queues() -> list[str]:
    return [
        "Partitions are queues. If the log names none of them for a job, the job goes to the first "
        "queue that has MaxTime, MinNodes or MaxNodes and accepts the job. If there is no such "
        "queue, the job is rejected."
    ]
