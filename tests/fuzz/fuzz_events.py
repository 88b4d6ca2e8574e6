"""Fuzz target: Slurm simulator events are read with a node table and replayed on its nodes."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from harness import written

import slotwise as sw
from slotwise.formats.slurm_events import asked_features, is_slurm_events

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.TraceError,)
BOUNDED = 600
_NODES = sw.Nodes(
    [
        sw.NodeType(3, 8, "1GB", 0, name="n1", all=1000, A=8),
        sw.NodeType(2, 4, "4GB", 2, name="g1", **{"all": 1000, "gpu:v100": 2}),
    ]
)
_LINE = (
    b"-dt 10.50 -e submit_batch_job | -sim-walltime 84.00 --uid=ann -J jobid_00007 -N 2 -n 6 "
    b"-t 1-02:03:04 -q normal -p all --mem=2M pseudo.job\n"
)
SEEDS = [
    _LINE,
    _LINE * 3,
    _LINE.replace(b"--mem=2M", b"--gres=gpu:v100:1 --mem-per-cpu=1K"),
    _LINE.replace(b"-p all", b"-p all --exclusive -c 2 --constraint=A"),
    _LINE.replace(b"-q normal", b"-A 'an account' -q \"long one\""),
    b"\n" + _LINE.replace(b"\n", b"\r\n") + b"\n",
    gzip.compress(_LINE * 2, mtime=0),
]
TOKENS = [
    *(b" -dt 0", b" -J jobid_1", b" -N 1", b" -n 1", b" -t 0:01:00", b" --mem=1G", b" --exclusive"),
    *(b"--exclusive=user", b" --gres=gpu", b" --gres=gpu:v100:1", b" --constraint=A", b" -c 3"),
    *(b"'", b'"', b"\\", b" | ", "\u0661".encode(), b"\xc2\x85", b"\xe2\x80\xa8", b"\x0c", _LINE),
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "log.events", data)
    is_slurm_events(path)
    asked_features(path)
    trace = sw.read_slurm_events(path, _NODES)
    result = sw.simulate(trace, sw.Site(machine=_NODES))
    assert len(result.start) == len(trace), "a job is lost"
