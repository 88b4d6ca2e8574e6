"""Keys in Slurm files that have no counterpart in a site file, each with the reason.

Example: ``PriorityWeightAge`` is left out because the order of jobs is chosen in ``[policy]``.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise import text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from slotwise.formats.slurm_site.settings import Line

_MOST_NAMED = 5
_OF = {
    "node": "Left out of the nodes",
    "partition": "Left out of the partitions",
    "gres": "Left out of gres.conf",
    "": "Left out",
}
_UNKNOWN = "not known to Slotwise"

_REASONS: dict[str, tuple[tuple[str, str], ...]] = {
    "node": (
        ("nodeaddr|nodehostname|bcastaddr|port", "addresses have no effect on a schedule"),
        ("state|reason", "nodes start in service; --events adds the outages"),
        ("tmpdisk", "disk space is not counted"),
        ("cpuspeclist", "reserved processors are read only from CoreSpecCount"),
        ("cpubind|topology", "a job's place within a node has no effect on its run time"),
        ("gres=.*:no_consume", "jobs share the resource without limit"),
        ("gres=[^:]+:\\d+[kmgtp]?", "a node can have at most 2^40 - 1 of a resource"),
        ("gres=(mps|shard)", "shares of a GPU are not counted; only whole GPUs are"),
        ("gres=.*", "the name is a keyword of site files"),
    ),
    "partition": (
        ("(allow|deny)(accounts|groups|qos)|rootonly|reqresv|allocnodes|hidden|disablerootjobs",
         "jobs in a log were already admitted"),
        ("alternate", "no job is redirected from a closed partition"),
        ("state", "every queue of a site is open"),
        ("priorityjobfactor", "the order of jobs is chosen in [policy]"),
        ("qos",
         "limits per QOS are kept in the accounting database; add them under [[queue]] in the "
         "site file"),
        ("(oversubscribe|shared)=.*", "a replay never gives a core to two jobs at the same time"),
        ("oversubscribe|shared|exclusive.*", "a job's demands determine what it shares"),
        ("maxcpusper.*", "queues cannot limit the cores used per node"),
        ("(def|max)mem.*|(def|max)cpu.*|jobdefaults",
         "a job gets the memory and cores that it requests, without defaults or bounds"),
        ("preemptmode|gracetime", "jobs are never preempted"),
        ("overtimelimit", "jobs end after their run time or at their time limit"),
        ("tresbillingweights", "usage is not billed"),
        ("lln|selecttypeparameters|cpubind|topology",
         "the machine has one placement rule for all queues"),
        ("(suspend|resume|powerdown).*", "nodes are never powered down"),
    ),
    "gres": (
        ("cores|links", "a device's place within a node has no effect on run times"),
        ("flags", "a device's flags have no effect on its count"),
    ),
    "": (
        ("prioritysitefactor.*",
         "a plugin at your centre computes site factors; add them to the log as a "
         "site_factor column"),
        ("scheduler(type|parameters|timeslice|port|rootfilter|auth)|prioritytype"
         "|priority(parameters|flags|maxage|favorsmall|decayhalflife|calcperiod|usageresetperiod)"
         "|priorityweight(age|assoc|fairshare|jobsize|partition|qos|tres)"
         "|fairsharedampeningfactor",
         "rules of Slurm's scheduler; choose order and backfill in [policy]"),
        ("preempt.*", "jobs are never preempted"),
        ("(def|max)mem.*|(def|max)cpu.*|jobdefaults",
         "a job gets the memory and cores that it requests, without defaults or bounds"),
        ("enforcepartlimits", "a job goes to its queue in the log, whatever it requests"),
        ("overtimelimit|killwait|completewait|epilog",
         "jobs end after their run time or at their time limit; nodes are free immediately"),
        ("accountingstorageenforce",
         "limits per user, account and QOS are kept in the accounting database; add them under "
         "[limits] in the site file"),
        ("licenses", "licences are not counted"),
        ("suspend.*|resume.*|power.*", "nodes are never powered down"),
        ("topology.*|switch.*|treewidth|routeplugin", "nodes are chosen regardless of switches"),
        ("jobrequeue|requeue.*", "a [crashes] table determines what happens to killed jobs"),
        ("maxjobcount|maxarraysize|minjobage|firstjobid|maxjobid|maxstepcount|maxnodecount",
         "the number of jobs and nodes that Slurm stores has no effect on a schedule"),
        ("downnodes", "nodes start in service; --events adds the outages"),
        ("grestypes", "the Gres of each node is read instead"),
        ("fastschedule|slurmdparameters|returntoservice|rebootprogram|unkillable.*|healthcheck.*",
         "nodes are exactly as described, and in service except during outages"),
        ("clustername", "a site has no name"),
        ("slurm.*|auth.*|crypto.*|cred.*|jobcred.*|control.*|backup.*|accounting.*|acct.*"
         "|jobacct.*|jobcomp.*|jobcontainer.*|jobfile.*|jobsubmit.*|proctrack.*|task.*|plugin.*"
         "|prolog.*|epilog.+|log.*|debug.*|mail.*|.*timeout|inactivelimit|waittime|state.*|port.*"
         "|srun.*|salloc.*|sbatch.*|x11.*|usepam|propagate.*|checkpoint.*|cachegroups|cli.*"
         "|communication.*|frontend.*|defaultstorage.*|vsizefactor|tmpfs|launch.*|mpi.*|prep.*"
         "|site.*|namespace.*|dependency.*|bcast.*|gpufreq.*|mcs.*|hash.*|metrics.*|data.*"
         "|comm.*|tls.*|certmgr.*|certgen.*|interactive.*|extsensors.*|federation.*|group.*"
         "|include|unkillablesteptimeout|controlmachine|keepalive.*|tcp.*|burstbuffer.*|cgroup.*"
         "|killonbadexit|corespecplugin|disablerootjobs|trackwckey|allowspec.*|requirespank.*|parameters",
         "settings of Slurm's daemons, which have no effect on when jobs start"),
    ),
}  # fmt: skip


_MAY_CHANGE_STARTS = {
    "node": "cpuspeclist|gres=.*",
    "partition": "qos|alternate|overtimelimit|preemptmode|gracetime|lln|maxcpusper.*"
    "|(oversubscribe|shared)=.*",
    "gres": "",
    "": "preempt(type|mode)|licenses|accountingstorageenforce|suspendprogram|topologyplugin"
    "|downnodes|prioritysitefactorplugin",
}
"""Keys that may affect when jobs start in Slurm, by scope."""

_WITHOUT_EFFECT = re.compile(r"|off|no|none|0|\w+/(none|default|flat)", re.IGNORECASE)
"""Values for which such a key has no effect."""

_MEANT = {
    "node": (
        "NodeName", "CPUs", "Boards", "SocketsPerBoard", "Sockets", "CoresPerSocket",
        "ThreadsPerCore", "CoreSpecCount", "MemSpecLimit", "RealMemory", "Gres", "Feature",
        "Weight", "State",
    ),
    "partition": (
        "PartitionName", "Nodes", "Default", "MaxTime", "DefaultTime", "MaxNodes", "MinNodes",
        "PriorityTier", "PriorityJobFactor", "State", "OverSubscribe", "ExclusiveUser",
    ),
    "gres": ("Name", "Type", "File", "Count", "NodeName", "AutoDetect"),
    "": (
        "NodeName", "PartitionName", "NodeSet", "SchedulerType", "SchedulerParameters",
        "PriorityType", "PriorityFlags", "PriorityMaxAge", "PriorityFavorSmall",
        "PriorityDecayHalfLife", "PriorityCalcPeriod", "PriorityUsageResetPeriod",
        "PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
        "PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS",
        "PriorityWeightTRES", "FairShareDampeningFactor", "SelectType", "SelectTypeParameters",
        "OverTimeLimit", "CompleteWait", "KillWait", "EnforcePartLimits", "Epilog",
    ),
}  # fmt: skip
"""Keys that affect a site; an unknown key may be a misspelling of one of them."""


@dataclass
class LeftOut:
    """Keys without a counterpart in a site, and remarks about the site.

    Attributes
    ----------
    remarks : list of str
        Sentences about choices made, and about data that were ignored.
    unread : list of str
        Places of lines that are not ``KEY=VALUE``.
    n_that_matter : int
        The number of omitted settings that may affect when jobs start in Slurm.
    """

    remarks: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    n_that_matter: int = 0
    _keys: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    def add(self, scope: str, key: str, value: str = "given") -> None:
        """Record a key that is ignored: of the nodes, partitions, gres.conf or general settings."""
        reason = reason_of(scope, key)
        keys = self._keys.setdefault((scope, reason), {})
        matters = re.fullmatch(_MAY_CHANGE_STARTS[scope], key, re.IGNORECASE) is not None
        if matters and key.lower() not in keys and not _WITHOUT_EFFECT.fullmatch(value):
            self.n_that_matter += 1
        keys.setdefault(key.lower(), key)

    def add_keys(self, scope: str, line: Line, read: Collection[str]) -> None:
        """Record the keys of a line, except those in `read`."""
        for name, key in line.written.items():
            if name not in read:
                self.add(scope, key, line.values[name])

    def unknown(self) -> list[str]:
        """Return the unknown keys, each with the key that is probably meant."""
        return [
            _with_meant(scope, key)
            for (scope, reason), keys in self._keys.items()
            if reason == _UNKNOWN
            for key in keys.values()
        ]

    def comments(self) -> Iterator[str]:
        """Return the remarks, and for each reason one sentence that lists its keys."""
        yield from self.remarks
        for (scope, reason), keys in sorted(self._keys.items(), key=lambda each: _place(each[0])):
            is_unknown = reason == _UNKNOWN
            names = (_with_meant(scope, key) if is_unknown else key for key in keys.values())
            yield f"{_OF[scope]} ({reason}): {', '.join(names)}."
        if self.unread:
            yield f"Left out (lines that are not KEY=VALUE): {some_of(self.unread)}."


def _with_meant(scope: str, key: str) -> str:
    """Append the key that was probably meant, if a known key resembles this one."""
    by_name = {name.lower(): name for name in _MEANT[scope]}
    near = difflib.get_close_matches(key.lower(), by_name, n=1, cutoff=0.75)
    return f"{key} (did you mean {by_name[near[0]]}?)" if near else key


def _place(key: tuple[str, str]) -> tuple[int, bool]:
    """Return a sort key: by scope, and within each scope, unknown keys last."""
    return [*_OF].index(key[0]), key[1] == _UNKNOWN


def reason_of(scope: str, key: str) -> str:
    """Return the reason why a key is left out."""
    for pattern, reason in _REASONS[scope]:
        if re.fullmatch(pattern, key, re.IGNORECASE):
            return reason
    return _UNKNOWN


def some_of(names: Collection[str]) -> str:
    """List a few names, and say how many more there are."""
    return text.first_of(names, _MOST_NAMED)
