"""``slotwise site from-slurm``."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from slotwise import text
from slotwise.errors import SiteError
from slotwise.formats.slurm_conf import SlurmConf
from slotwise.formats.slurm_events import asked_features, is_slurm_events
from slotwise.formats.slurm_site import describe_site
from slotwise.site import Site
from slotwise.site.policy.preset_names import release_of
from slotwise.site.toml.writer import site_text
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slotwise.formats.slurm_site import DescribedSite
    from slotwise.site.machine.nodes import Nodes

ASSUMED_VERSION = "25.11"
"""Version of Slurm whose preset is written if no version is given."""

NO_VERSION = "none"
"""The ``--slurm-version`` value that leaves the policy at its default values."""

_MOST_NAMED = 5

_ASSUMED = (
    f"The version of Slurm is assumed to be {ASSUMED_VERSION}; set another with "
    f"--slurm-version. With --slurm-version {NO_VERSION}, the policy has its default values, "
    "replays are faster, and the site can have outages, maintenance and reservations."
)
_ONLY_IN_SLURM_CONF = re.compile(rb"(?im)^[ \t]*(PartitionName|ClusterName|SlurmctldHost)[ \t]*=")
_NO_OUTAGES = (
    "The slurm preset does not support outages, so [policy] has its default values. Without "
    "--events, [policy] has the settings from SchedulerParameters, Priority* and SelectType*."
)
_HEAD = (
    "The nodes of {table}, one type per line, in order of Weight. A partition is a resource with "
    "1000 shares on each of its nodes: each unit of a job uses one share, or all 1000 if the job "
    "is exclusive. A feature has as many shares as the node has cores. Memory is in KB. [policy] "
    "has its default values."
)


def print_site(
    conf: Path,
    gres: Path | None = None,
    events: Path | None = None,
    trace: Path | None = None,
    version: str | None = None,
    accounts: Path | None = None,
) -> None:
    """Print a cluster as a site file, and the keys of Slurm's files that were left out.

    The policy is the preset of `version`, by default `ASSUMED_VERSION`. It keeps its default values
    if the version is ``none``, or if `events` or `trace` is given: the preset supports neither
    outages nor the events of a Slurm simulation.

    If `trace` holds the events of a Slurm simulation, partitions and features are printed as
    resources, because these events request them.

    Raises
    ------
    SiteError, TraceError, UsageError
        If a file cannot be read, or the trace holds no events; nothing is printed in these
        cases.
    """
    if gres is not None:
        _refuse_exchanged(conf, gres)
    if trace is None:
        _print_described(conf, gres, events, version, accounts)
        return
    others = {"--events": events, "--slurm-version": version, "--accounts": accounts}
    for name, given in {"GRES.conf": gres, **others}.items():
        if given is not None:
            raise UsageError(
                f"{name} {given} cannot be combined with --trace, which counts partitions and "
                "features as resources; use only one of the two"
            )
    if not is_slurm_events(trace):
        raise UsageError(
            f"--trace {trace} has no submit_batch_job events from which to count features; "
            "leave --trace out"
        )
    table = SlurmConf.read(conf)
    features = asked_features(trace)
    nodes = table.nodes(features, table.partitions_with_room(features))
    _print([_HEAD.format(table=conf.name), *left_out(table, nodes)], Site(machine=nodes))


def _refuse_exchanged(conf: Path, gres: Path) -> None:
    """Raise an error if the slurm.conf and the gres.conf are given in the wrong order."""
    if _describes_cluster(gres) and not _describes_cluster(conf):
        raise UsageError(
            f"{gres} is a slurm.conf, but it is given as the gres.conf; pass the slurm.conf "
            f"first: from-slurm {gres} {conf}"
        )


def _describes_cluster(file: Path) -> bool:
    """Return True for a file with a setting that only a slurm.conf may have."""
    try:
        return _ONLY_IN_SLURM_CONF.search(file.read_bytes()) is not None
    except OSError:
        return False  # reported when the file is read


def _print_described(
    conf: Path,
    gres: Path | None,
    events: Path | None,
    version: str | None,
    accounts: Path | None,
) -> None:
    shown: str | None  # version of the preset
    if version is None and events is None:
        described = _described_as_assumed(conf, gres, accounts)
        remarks, shown = [_ASSUMED], ASSUMED_VERSION
    else:
        shown = None if version in (None, NO_VERSION) else release_of(str(version))
        described = describe_site(conf, gres, events, shown, accounts)
        remarks = [_NO_OUTAGES] if version is None else []
        if shown not in (None, version):
            remarks.append(f"The rules of Slurm {shown} apply to its patch release {version}.")
    comments = [*described.comments[:1], *remarks, *described.comments[1:]]
    _print(comments, described.site, shown)
    if told := list(_summary(described)):
        screen.warn(f"{'; '.join(told)}; the comments at the top of the site list all of them")


def _summary(described: DescribedSite) -> Iterator[str]:
    """Summarise ignored settings for the terminal, because the comments may go to a file."""
    if described.n_ignored:
        settings = text.plural(described.n_ignored, "setting")
        yield f"{settings} that may affect when jobs start {text.are(described.n_ignored)} ignored"
    if described.unknown:
        keys, n = described.unknown, len(described.unknown)
        shown = text.first_of(keys, _MOST_NAMED)
        yield f"{text.plural(n, 'key')} {text.are(n)} unknown and ignored: {shown}"


def _described_as_assumed(conf: Path, gres: Path | None, accounts: Path | None) -> DescribedSite:
    """Describe a cluster under the preset; if only its policy has faults, suggest a remedy."""
    try:
        return describe_site(conf, gres, None, ASSUMED_VERSION, accounts)
    except SiteError as fault:
        try:
            describe_site(conf, gres)
        except SiteError:
            raise fault from None
        raise SiteError(
            f"{fault}\nuse --slurm-version {NO_VERSION} to leave out the settings of Slurm's "
            "schedulers"
        ) from None


def _print(comments: Iterable[str], site: Site, version: str | None = None) -> None:
    """Print a site with comments at the top, or nothing if the site cannot be written."""
    written = site.to_toml() if version is None else _under_preset(site, version)
    for comment in comments:
        # A TOML comment cannot contain control characters, but a file name may contain them.
        plain = "".join(letter if letter.isprintable() else "?" for letter in comment)
        for line in textwrap.wrap(
            plain, 98, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        ):
            screen.write(f"# {line}\n")
    screen.write("\n" + written)


def _under_preset(site: Site, version: str) -> str:
    """Return a site file; its policy names a Slurm preset and lists values that differ from it."""
    tables = site.to_dict()
    tables["policy"] = site.policy._preset_dict(f"slurm-{version}")
    return site_text(tables, site.policy, site.queues)


def left_out(conf: SlurmConf, nodes: Nodes) -> Iterator[str]:
    """List the settings of a ``slurm.conf`` that the site lacks, one sentence per kind."""
    uncounted = {
        "partitions": [name for name in conf.partitions if name not in nodes.resources],
        "features": [name for name in conf.features if name not in nodes.resources],
    }
    for kind, names in uncounted.items():
        if names:
            yield (
                f"Ignored {kind} (beyond the limit of seven resources, or the same on all nodes): "
                f"{', '.join(names)}."
            )
    for kind, names in conf.unread.items():
        if names:
            one = kind.removesuffix("s")
            yield f"Ignored {one} settings (not read with --trace): {', '.join(names)}."
