"""Grid files of sweeps in TOML: a trace, a site, and values to combine for keys of the site.

trace = "log.swf.gz"
site = "site.toml"            # optional; the sweep starts from it
nodes = "slurm.conf"          # optional; the node table of the machine, for all points

[grid]                        # every combination; the last key varies fastest
"policy.backfill" = ["none", "easy"]
"policy.order" = ["fcfs", "sjf"]
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.site.toml.reader import read_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_PATHS = ("trace", "site", "nodes")
_KEYS = (*_PATHS, "grid")


@dataclass(frozen=True)
class Grid:
    """The content of a grid file; paths are relative to the folder of the file.

    Attributes
    ----------
    trace : Path or None
    site : Path or None
        Site on which every point is based.
    nodes : Path or None
        A ``slurm.conf`` with the nodes of all points.
    points : list of dict of str to value
        Values that each point sets, by key as in ``--set``.
    """

    trace: Path | None
    site: Path | None
    nodes: Path | None
    points: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> Grid:
        """Read a grid file.

        Raises
        ------
        SiteError
            If the file has faults; the message lists them, one per line.
        """
        document = read_document(path)
        faults = list(_faults(document))
        if faults:
            raise SiteError("\n".join(f"{path}: {fault}" for fault in faults))
        axes: Mapping[str, list[Any]] = document["grid"]
        points = [
            dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())
        ]
        trace, site, nodes = (
            path.parent / document[key] if key in document else None for key in _PATHS
        )
        return cls(trace, site, nodes, points)


def _faults(document: Mapping[str, Any]) -> Iterator[str]:
    for key in document:
        if key not in _KEYS:
            yield f"unknown key '{key}'; known names are: {', '.join(_KEYS)}"
    for key in _PATHS:
        if not isinstance(document.get(key, ""), str):
            yield f"{key} {document[key]!r} must be a path in quotes"
    axes = document.get("grid")
    if not isinstance(axes, dict) or not axes:
        yield (
            'the [grid] table is missing or empty; write, for example, "policy.backfill" = '
            '["none", "easy"] under [grid]'
        )
        return
    for key, values in axes.items():
        if not isinstance(values, list) or not values:
            yield (
                f"grid.{key}: {json.dumps(values, default=str)} must be a list of at least one "
                'value; write, for example, "policy.backfill" = ["none", "easy"], with the key in '
                "quotes"
            )
