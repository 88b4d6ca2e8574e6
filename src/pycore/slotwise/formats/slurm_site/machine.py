"""A cluster's machine: node types from the groups in a ``slurm.conf``, lightest first.

Example: ``NodeName=g[1-4] CPUs=8 Gres=gpu:2 Weight=9`` after ``NodeName=n[1-8] CPUs=8`` is the
second type; if ``gres.conf`` names two GPU types, g[1-2] and g[3-4] become separate types.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.formats.slurm_site.left_out import some_of
from slotwise.formats.slurm_site.node_order import in_slurms_order
from slotwise.site.faults import FaultsError
from slotwise.site.machine.hostlist import folded
from slotwise.site.machine.node_type import RESERVED
from slotwise.site.machine.nodes import Nodes, NodeType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from slotwise.formats.slurm_site.gres import Gres, GresConf
    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.node_lines import NodeGroup
    from slotwise.formats.slurm_site.settings import Faults

_PLAIN_GRES = {"gpu": "gpus", "mic": "mics"}
_SHARES = ("mps", "shard")
_Signature = frozenset[tuple[tuple[str, str], int]]
_WORDS = {"count", "cores", "memory", "gpus", "mics", "name", "hosts", "features", *RESERVED}


def nodes_of(
    groups: Sequence[NodeGroup],
    gres: GresConf,
    faults: Faults,
    left_out: LeftOut,
    *,
    by_weight: bool,
) -> list[NodeGroup]:
    """Split groups whose nodes have different devices in ``gres.conf``, and order them by weight.

    Without `by_weight`, nodes are in Slurm's order, and groups keep their weights.
    """
    parted: list[NodeGroup] = []
    for group in groups:
        parted += _parted(group, gres, faults) if gres.source and group.gres else [group]
    strangers = gres.strangers(name for group in groups for name in group.names)
    if strangers:
        left_out.remarks.append(
            "Left out: devices in gres.conf on nodes that the machine does not have "
            f"({some_of(strangers)})."
        )
    if by_weight:
        return [replace(group, weight=1) for group in sorted(parted, key=lambda g: g.weight)]
    return in_slurms_order(parted)


def _parted(group: NodeGroup, gres: GresConf, faults: Faults) -> list[NodeGroup]:
    members: dict[_Signature, list[str]] = {}
    found: dict[_Signature | None, list[str]] = {}
    for name in group.names:
        devices = gres.devices.get(name)
        signature = None if devices is None else frozenset(devices.items())
        found.setdefault(signature, []).append(name)
    for names in found.values():
        try:
            items = frozenset(gres.of_node(names[0], group.gres).items())
        except ValueError as fault:
            faults.add(gres.places.get(names[0], gres.source), fault)
            return [group]  # one fault per line is enough
        members.setdefault(items, []).extend(names)
    if len(members) == 1:
        return [replace(group, gres=Counter(dict(next(iter(members)))))]
    return [
        replace(group, hosts=folded(names), names=tuple(names), gres=Counter(dict(items)))
        for items, names in members.items()
    ]


def machine_of(
    groups: Sequence[NodeGroup], settings: Mapping[str, str], faults: Faults, left_out: LeftOut
) -> Nodes | None:
    """Build the machine. If there are faults, add them to `faults` and return None."""
    counts_memory = _counts_memory(settings)
    others = _other_resources(groups, counts_memory, left_out)
    names = _type_names(groups)
    before = len(faults.texts)
    types: list[NodeType] = []
    for group, name in zip(groups, names, strict=True):
        try:
            types.append(_type_of(group, name, others, counts_memory))
        except FaultsError as wrong:
            for fault in wrong.faults:
                faults.add(group.place, fault)
    if len(faults.texts) > before or not types:
        return None
    if not counts_memory and any(group.memory for group in groups):
        parameters = settings["selecttypeparameters"]
        left_out.remarks.append(
            f"Memory is not counted, because SelectTypeParameters={parameters} does not include it."
        )
    try:
        whole = _whole_nodes(types, settings, left_out)
        return Nodes(types, "first-fit", whole_nodes=whole, logged_nodes=not whole)
    except SiteError as fault:
        faults.add(groups[0].place, fault)
        return None


def _counts_memory(settings: Mapping[str, str]) -> bool:
    return "memory" in settings.get("selecttypeparameters", "memory").lower()


def _whole_nodes(types: Sequence[NodeType], settings: Mapping[str, str], left_out: LeftOut) -> bool:
    """Return whether jobs without demands take whole nodes."""
    if settings.get("selecttype", "").lower() != "select/linear":
        return False
    if len({kind.resources["cores"] for kind in types}) == 1:
        return True
    left_out.remarks.append(
        "SelectType=select/linear gives jobs whole nodes, but whole_nodes requires nodes with the "
        "same number of cores. Add demands for whole nodes to the jobs."
    )
    return False


def _other_resources(
    groups: Iterable[NodeGroup], counts_memory: bool, left_out: LeftOut
) -> list[str]:
    """Choose the generic resources other than GPUs that the machine counts."""
    n_nodes: Counter[str] = Counter()
    plain = {"cores"}
    for group in groups:
        plain |= {"memory"} if counts_memory and group.memory else set()
        for name in dict.fromkeys(name for name, _ in group.gres):
            if name in _PLAIN_GRES:
                plain.add(_PLAIN_GRES[name])
            elif name in _SHARES or name.lower() in _WORDS:
                left_out.add("node", f"Gres={name}")
            else:
                n_nodes[name] += len(group.names)
    return [name for name, _ in n_nodes.most_common()]


def _type_of(group: NodeGroup, name: str, others: Collection[str], counts_memory: bool) -> NodeType:
    amounts: dict[str, Any] = dict.fromkeys(others, 0)
    for (resource, _), count in group.gres.items():
        key = _PLAIN_GRES.get(resource, resource)
        if key in others or resource in _PLAIN_GRES:
            amounts[key] = amounts.get(key, 0) + count
    return NodeType(
        cores=group.cpus,
        memory=group.memory << 10 if counts_memory else 0,
        name=name,
        hosts=group.hosts,
        features=(*group.features, *types_of_gpus(group.gres)),
        weight=group.weight,
        **amounts,
    )


def types_of_gpus(gres: Gres) -> list[str]:
    """Return the GPU types, which become features."""
    return sorted({kind for name, kind in gres if name == "gpu" and kind})


def _type_names(groups: Sequence[NodeGroup]) -> list[str]:
    """Name each type after what its node names have in common, or after its first node.

    Example: h100-[01-16] is named h100.
    """
    common = (os.path.commonprefix(group.names) for group in groups)  # noqa: RUF071
    stems = [re.sub(r"\d+$", "", name).rstrip("-_.") for name in common]
    count = Counter(stems)
    return [
        stem if stem and count[stem] == 1 else group.names[0]
        for stem, group in zip(stems, groups, strict=True)
    ]
