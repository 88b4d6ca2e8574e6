"""A job's demand on its nodes, read from the options of ``sbatch``."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from slotwise.site.machine.node_type import RESERVED, kilobytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.site.machine.nodes import Nodes

ALONE = 1000
"""Shares of a partition per node; a unit takes one share, and an exclusive unit all of them."""
FIELDS = ("count", "cores", "memory", "gpus", "mics", "name", "hosts", "features", *RESERVED)
"""Names reserved for node types and demands."""

DEFAULT_MEMORY = 2800 << 10
"""KB per core of a job that requests no memory."""

_ALIASES = {
    "--nodes": "-N",
    "--ntasks": "-n",
    "--cpus-per-task": "-c",
    "--partition": "-p",
    "--time": "-t",
    "--qos": "-q",
    "--account": "-A",
    "-C": "--constraint",
    "-jid": "-J",
    "-a": "--array",
    "-d": "--dependency",
}
_TAKE_VALUE = {
    "-dt", "-e", "-sim-walltime", "--uid", "-J", "-N", "-n", "-c", "-p", "-t", "-q", "-A",
    "--mem", "--mem-per-cpu", "--gres", "--constraint", "--ntasks-per-node", "--array",
    "--dependency",
}  # fmt: skip
"""Options that need a value; ``-A`` does not affect a job's nodes."""
_NICE = "100"
"""The value of ``--nice`` without a number, as in sbatch(1)."""


def options_of(line: str) -> dict[str, str]:
    """Read the options of an event: ``--option=value`` or ``--option value``.

    As in ``sbatch``, the last value of a repeated option counts, and the first word that is not
    part of an option is the script and ends the options.

    Raises
    ------
    ValueError
        For an unknown option, or one without its value.
    """
    # A line without quotes is split at its spaces, because shlex reads one character at a time and
    # is slow.
    is_plain = not any(mark in line for mark in "'\"\\")
    words = iter(line.split() if is_plain else shlex.split(line))
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = _ALIASES.get(name, name)
        if word == "|":
            continue
        if not word.startswith("-"):
            break
        if name == "--exclusive":
            if equals and value != "user":
                raise ValueError(f"{word} is not known; write --exclusive or --exclusive=user")
            options[name] = value
        elif name == "--nice":
            options[name] = value if equals else _NICE
        elif name not in _TAKE_VALUE:
            known = ", ".join(sorted({*_TAKE_VALUE, "--exclusive", "--nice"}))
            raise ValueError(f"{word} is not a known option; known options are {known}")
        else:
            options[name] = value if equals else next(words, "")
            if not options[name]:
                raise ValueError(f"{word} has no value")
    return options


def wanted_features(options: Mapping[str, str]) -> list[str]:
    """Return the features and the GPU type that a job requests, as `read_slurm_nodes` names them.

    ``a&b`` means two features; ``a|b`` counts as one feature of every node that has a or b.
    """
    wanted = options["--constraint"].split("&") if "--constraint" in options else []
    kind = gpus_of(options["--gres"])[0] if "--gres" in options else ""
    return [*wanted, f"gpu:{kind}"] if kind else wanted


def gpus_of(text: str) -> tuple[str, int]:
    """Read the type (empty if absent) and the number from ``gpu[:type][:number]``."""
    match = re.fullmatch(r"gpu(?::([^:,]*[^:,\d][^:,]*))?(?::(\d{1,9}))?", text, re.ASCII)
    if match is None:
        raise ValueError(f"gres {text} must be gpu, gpu:2, gpu:v100 or gpu:v100:2")
    return match[1] or "", int(match[2] or 1)


def demands_of_line(options: Mapping[str, str], nodes: Nodes) -> dict[str, int]:
    """Return the number of units, and what each unit requests of each resource in `nodes`.

    Raises
    ------
    KeyError
        If an option is missing; the error names it.
    ValueError
        For a wrong value, and for a partition, feature or GPU that is not a resource of the nodes.
    """
    tasks = _count(options, "-n")
    units = _units(options, tasks)
    cores = -(-tasks // units) * (_count(options, "-c") if "-c" in options else 1)
    asked = {"units": units, "cores": cores, "memory": _memory(options, cores)}
    if "-p" in options:
        asked[_partition(options["-p"], nodes)] = ALONE if "--exclusive" in options else 1
    elif "--exclusive" in options:
        raise ValueError(
            "--exclusive needs -p, because an exclusive job keeps other jobs of its partition off "
            "its nodes"
        )
    gpus = gpus_of(options["--gres"])[1] if "--gres" in options else 0
    if gpus:
        asked["gpus"] = gpus
    if gpus and "gpus" not in nodes.resources:
        raise ValueError(f"--gres={options['--gres']}: no node has GPUs; {_counted(nodes)}")
    for name in wanted_features(options):
        if name not in nodes.resources:
            raise ValueError(
                f"the feature {name} is not a resource of the nodes; {_counted(nodes)}; if "
                f"slurm.conf has this feature, read the nodes with features=[{name!r}]"
            )
        asked[name] = gpus if name.startswith("gpu:") else cores
    return asked


def resource_of(partition: str) -> str:
    """Name the resource for a partition: the partition's name, unless that is a reserved word."""
    return f"partition:{partition}" if partition in FIELDS else partition


def _units(options: Mapping[str, str], tasks: int) -> int:
    """Return the number of nodes from ``-N``, otherwise from ``--ntasks-per-node``, or one."""
    if "-N" in options:
        return _count(options, "-N")
    if "--ntasks-per-node" in options:
        return -(-tasks // _count(options, "--ntasks-per-node"))
    return 1


def _partition(name: str, nodes: Nodes) -> str:
    if resource_of(name) not in nodes.resources:
        raise ValueError(f"partition {name} has no nodes; {_counted(nodes)}")
    return resource_of(name)


def _counted(nodes: Nodes) -> str:
    return f"the nodes have the resources {', '.join(nodes.resources)}"


def _count(options: Mapping[str, str], option: str) -> int:
    text = options[option]
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise ValueError(f"{option} {text} must be a whole number, at least 1 and below 10^9")
    return int(text)


def _memory(options: Mapping[str, str], cores: int) -> int:
    given = [name for name in ("--mem", "--mem-per-cpu") if name in options]
    if len(given) == 2:
        raise ValueError("--mem and --mem-per-cpu cannot be combined; use only one of them")
    if not given:
        return cores * DEFAULT_MEMORY
    text = options[given[0]]
    match = re.fullmatch(r"([0-9]+)([KMGT]?)B?", text, re.IGNORECASE)
    amount = kilobytes(f"{match[1]}{match[2] or 'M'}B") if match else 0
    if amount == 0:
        raise ValueError(f"{given[0]}={text} must be an amount above 0, such as 4G or 500M")
    return amount if given[0] == "--mem" else amount * cores
