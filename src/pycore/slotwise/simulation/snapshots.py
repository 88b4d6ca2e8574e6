"""Snapshots of simulations, in memory or serialised."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from slotwise._core import JobTable
from slotwise._version import __version__
from slotwise.errors import SiteError
from slotwise.replay.run import restored
from slotwise.simulation.stepped_replay import SteppedReplay
from slotwise.site import Site, parts as sites
from slotwise.site.machine import Processors
from slotwise.site.machine.nodes import Nodes, NodeType
from slotwise.site.machine.torus import Torus
from slotwise.site.parts.amounts import Amounts, amounts_of
from slotwise.site.policy import Policy
from slotwise.site.policy.external import External
from slotwise.site.policy.order_spec import OrderSpec
from slotwise.trace import Trace
from slotwise.trace.demands import Demands
from slotwise.trace.header import Header
from slotwise.trace.labels import checked
from slotwise.trace.report import TraceReport, make_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = TypeVar("Kind", bound=type)
MAGIC = b"slotwise snapshot\n"
FORMAT = 1
_DEMAND = "<demand>"  # prefix in the names of demand columns
_FRAME = struct.Struct("<I16sQ32s")  # format, package version, length of the rest, SHA-256
_PARTS = {
    kind.__name__: kind
    for kind in (
        Site,
        Policy,
        OrderSpec,
        Processors,
        Torus,
        *(getattr(sites, n) for n in sites.__all__),
    )
}


class Snapshot:
    """The state of a simulation at one moment.

    `Simulation.snapshot` and `from_bytes` create snapshots; `Simulation.restore` can continue from
    the same snapshot any number of times. In memory, a snapshot is a copy of the engine. A
    serialised snapshot contains the engine's inputs and the user's changes so far. Reading a
    serialised snapshot replays these, which restores the same state, because a replay of the same
    trace and site always gives the same result.
    """

    _kind: ClassVar[Any]

    def __init__(self, replay: SteppedReplay) -> None:
        self._replay = replay

    def __repr__(self) -> str:
        return f"<Snapshot of {self._kind._of(self._replay)!r}>"

    @property
    def now(self) -> int:
        """Time of the snapshot, in seconds on the trace's clock."""
        return self._replay.core.now

    def simulation(self) -> Any:
        """Return a new simulation that continues from this snapshot."""
        return self._kind._of(self._replay.copy())

    def to_bytes(self) -> bytes:
        """Serialise the snapshot, for `from_bytes` in the same version of the package.

        The format is little-endian: 18 magic bytes, the format number (uint32), the package version
        (16 bytes), the length of the rest (uint64) and its SHA-256. The rest is the length of a
        JSON text (uint32), the text itself and the columns that it names.

        Raises
        ------
        SiteError
            If an order is a function, because functions cannot be serialised. Also if any
            policy so far was `External` on a torus, because its choice of nodes is not recorded.
        """
        replay, core = self._replay, self._replay.core
        on_torus = isinstance(replay.site.machine, Torus)
        if on_torus and any(isinstance(p, External) for p in replay.policies):
            raise SiteError(
                "the snapshot cannot be serialised: it would contain the times at which the "
                "external dispatcher started jobs, but not their nodes; continue from the snapshot "
                "itself, or from a copy of the simulation"
            )
        first = replay.site.replace(policy=replay.policies[0])
        changes = core.changes()
        trace = replay.trace
        columns = {name: np.ascontiguousarray(c) for name, c in trace._jobs.columns().items()}
        columns["<start>"] = core.schedule().start
        words: dict[str, list[str]] = {}
        if trace.demands is not None:
            for name, column in trace.demands.columns().items():
                if column.dtype.kind == "U":
                    known, codes = np.unique(column, return_inverse=True)
                    words[_DEMAND + name] = known.tolist()
                    column = codes.astype(np.int32)
                columns[_DEMAND + name] = np.ascontiguousarray(column)
        kept = {
            "site": _plain(first),
            "policies": [_plain(policy) for policy in replay.policies[1:]],
            "changes": changes,
            "answers": core.dispatch_log(),
            "handled": core.handled,
            "processors": replay.processors,
            "seconds": replay.seconds,
            "source": trace.source,
            "lines": list(trace._header.lines),
            "max_processors": trace.max_processors,
            "unix_start_time": trace.unix_start_time,
            "faults": [
                [f.reason, f.count, list(f.lines), f.example] for f in trace.report.faults()
            ],
            "columns": [[name, column.dtype.str] for name, column in columns.items()],
        }
        if words:
            kept["words"] = [[name, known] for name, known in words.items()]
        if trace.labels:
            kept["labels"] = [[name, [*words.items()]] for name, words in trace.labels.items()]
        text = json.dumps(kept).encode()
        parts = [struct.pack("<I", len(text)), text]
        parts += [np.asarray(c, c.dtype.newbyteorder("<")).tobytes() for c in columns.values()]
        rest = b"".join(parts)
        frame = _FRAME.pack(FORMAT, __version__.encode(), len(rest), hashlib.sha256(rest).digest())
        return MAGIC + frame + rest

    @classmethod
    def from_bytes(cls, data: bytes, *, dispatch: Callable[..., Any] | None = None) -> Snapshot:
        """Read a snapshot that `to_bytes` has written.

        Parameters
        ----------
        data : bytes
        dispatch : callable, optional
            The dispatcher to use from now on, if the policy is `External`; its earlier decisions
            are in the snapshot.

        Raises
        ------
        ValueError
            For bytes that are not a snapshot of this version, are cut short or are damaged.
        TypeError
            For data that is not bytes, and if `dispatch` is missing although the snapshot's policy
            is `External`.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            msg = f"{data!r:.60} is not bytes; pass what Snapshot.to_bytes returned"
            raise TypeError(msg)
        kept, columns = _opened(bytes(data))
        ask = _never if dispatch is None else dispatch
        with _forged_as_value_errors():
            site, *policies = (_whole(part, ask) for part in [kept["site"], *kept["policies"]])
        used = (site.policy, *policies)
        if isinstance(used[-1], External) and dispatch is None:
            msg = "the snapshot needs an external dispatcher; pass it as dispatch="
            raise TypeError(msg)
        with _forged_as_value_errors():
            start = columns.pop("<start>")
            for name, known in kept.get("words", []):
                columns[name] = np.array([str(word) for word in known])[columns[name]]
            asked = {
                name.removeprefix(_DEMAND): columns.pop(name)
                for name in [*columns]
                if name.startswith(_DEMAND)
            }
            header = Header(tuple(kept["lines"]), kept["max_processors"], kept["unix_start_time"])
            report = TraceReport(make_fault(*fault) for fault in kept["faults"])
            demands = Demands.from_columns(asked)
            names = checked({name: dict(words) for name, words in kept.get("labels", [])})
            trace = Trace._make(
                JobTable(columns), header, report, kept["source"], demands, labels=names
            )
            core = restored(kept, trace, site, tuple(policies), start, ask)
            now = site.replace(policy=used[-1])
            return cls(SteppedReplay(core, trace, now, kept["processors"], kept["seconds"], used))

    def __reduce__(self) -> tuple[Any, ...]:
        policy = self._replay.site.policy
        dispatch = policy.dispatch if isinstance(policy, External) else None
        return _read, (self.to_bytes(), dispatch)


def opened_as(kind: Kind) -> Kind:
    """Register the class whose instances `Snapshot.simulation` creates."""
    Snapshot._kind = kind
    return kind


@contextmanager
def _forged_as_value_errors() -> Iterator[None]:
    """Convert errors caused by forged snapshots, whose SHA-256 may be correct, to ValueErrors."""
    try:
        yield
    except _FORGED as fault:
        msg = (
            "the snapshot is damaged: it contains data that slotwise never writes "
            f"({type(fault).__name__}: {fault}), so it was changed after it was written; take a "
            "new snapshot"
        )
        raise ValueError(msg) from fault


def check_snapshot(snapshot: object) -> None:
    """Raise a TypeError for an argument that is not a Snapshot."""
    if not isinstance(snapshot, Snapshot):
        msg = (
            f"{snapshot!r:.60} is not a Snapshot; pass the result of snapshot() or "
            "Snapshot.from_bytes()"
        )
        raise TypeError(msg)


def _read(data: bytes, dispatch: Callable[..., Any] | None) -> Snapshot:
    return Snapshot.from_bytes(data, dispatch=dispatch)


def _never(queue: object, machine: object) -> None:
    """Stand in for a dispatcher that is no longer called."""


def _opened(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    if not data.startswith(MAGIC):
        msg = f"{data[:20]!r}… is not a snapshot; pass what Snapshot.to_bytes returned"
        raise ValueError(msg)
    begin = len(MAGIC) + _FRAME.size
    if len(data) < begin:
        msg = f"the snapshot is truncated: {len(data)} bytes, but its header alone takes {begin}"
        raise ValueError(msg)
    number, version, length, digest = _FRAME.unpack_from(data, len(MAGIC))
    made_by = version.rstrip(b"\0").decode(errors="replace")
    if (number, made_by) != (FORMAT, __version__):
        msg = (
            f"the snapshot was written by slotwise {made_by} (format {number}), but this is "
            f"slotwise {__version__} (format {FORMAT}); restore the snapshot with slotwise "
            f"{made_by}"
        )
        raise ValueError(msg)
    rest = data[begin:]
    if len(rest) < length:
        msg = f"the snapshot is truncated: {len(rest)} of {length} bytes follow its header"
        raise ValueError(msg)
    if len(rest) > length:
        extra = len(rest) - length
        msg = f"{extra} bytes follow the end of the snapshot; pass only the bytes that were written"
        raise ValueError(msg)
    if hashlib.sha256(rest).digest() != digest:
        msg = "the snapshot is damaged: its bytes have changed since it was written; copy it again"
        raise ValueError(msg)
    with _forged_as_value_errors():
        return _parted(rest)


def _parted(rest: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Split the content of a snapshot into its JSON text and its columns."""
    if len(rest) < 4:
        raise IndexError("the length of its JSON text is missing")
    (size,) = struct.unpack_from("<I", rest)
    kept = json.loads(rest[4 : 4 + size])
    _check_kept(kept)
    columns, at = {}, 4 + size
    kinds = [(name, _number_type(kind)) for name, kind in kept["columns"]]
    count = (len(rest) - at) // max(1, sum(kind.itemsize for _, kind in kinds))
    for name, kind in kinds:
        columns[name] = np.frombuffer(rest, kind, count, at).astype(kind.newbyteorder("="))
        at += count * kind.itemsize
    return kept, columns


def _number_type(kind: str) -> np.dtype[Any]:
    """Return the little-endian type of a column; names that NumPy might warn about are refused."""
    if not _NUMBER_TYPE.fullmatch(kind):
        raise TypeError(f"{kind!r} is not a numeric type")
    return np.dtype(kind).newbyteorder("<")


_NUMBER_TYPE = re.compile(r"[<>|=]?(?:b1|[iu][1248]|f[48])")
_FORGED = (
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    UnicodeError,
    json.JSONDecodeError,
)
_KEPT: dict[str, tuple[type, ...]] = {
    "site": (dict,),
    "policies": (list,),
    "changes": (list,),
    "answers": (list,),
    "handled": (int,),
    "processors": (int,),
    "seconds": (int, float),
    "source": (str,),
    "lines": (list,),
    "max_processors": (int, NoneType),
    "unix_start_time": (int, NoneType),
    "faults": (list,),
    "columns": (list,),
}
"""Entries of the JSON text that `Snapshot.to_bytes` writes, with their types."""


def _check_kept(kept: Any) -> None:
    """Raise an error if an entry has the wrong type, which a replay might not notice."""
    if not isinstance(kept, dict):
        raise TypeError("its JSON text is not an object")
    for name, kinds in _KEPT.items():
        if not isinstance(kept[name], kinds) or isinstance(kept[name], bool):
            raise TypeError(f"entry {name!r} has the wrong type, {type(kept[name]).__name__}")
        if isinstance(kept[name], int) and not -(2**63) <= kept[name] < 2**63:
            raise OverflowError(f"entry {name!r} does not fit into 64 bits")
    for line in kept["lines"]:
        if not isinstance(line, str):
            raise TypeError(f"a header line of the log has the type {type(line).__name__}")
    for fault in kept["faults"]:
        name, count, lines, example = fault
        if not isinstance(name, str) or not isinstance(example, str):
            raise TypeError("a fault in the reading report has no reason or example as text")
        if not all(isinstance(number, int) for number in (count, *lines)):
            raise TypeError("a fault in the reading report has a count or line of the wrong type")


def _plain(value: object) -> Any:
    """Return a part of a site as plain values, suitable for JSON."""
    if isinstance(value, External):
        return {"kind": "External", "plain": _plain(value.plain)}
    if is_dataclass(value) and type(value).__name__ in _PARTS:
        own = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, "fields": own}
    if isinstance(value, datetime):
        return {"kind": "datetime", "iso": value.isoformat()}
    if isinstance(value, Nodes):
        return {"kind": "Nodes", "machine": value.to_dict()}
    if isinstance(value, Amounts):
        return {"kind": "Amounts", "amounts": value.to_dict()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    msg = (
        f"{value!r:.80} cannot be serialised; keep the snapshot in memory, or use a named order or "
        "an expression"
    )
    raise SiteError(msg)


def _whole(value: Any, dispatch: Callable[..., Any]) -> Any:
    """Rebuild a part of a site from the result of `_plain`."""
    if isinstance(value, list):
        return tuple(_whole(item, dispatch) for item in value)
    if not isinstance(value, dict):
        return value
    if value["kind"] == "External":
        plain = _whole(value["plain"], dispatch)
        return External(dispatch, passes=plain.passes, kill_at_limit=plain.kill_at_limit)
    if value["kind"] == "Nodes":
        machine = dict(value["machine"])
        return Nodes([NodeType(**kind) for kind in machine.pop("nodes")], **machine)
    if value["kind"] == "Amounts":
        return amounts_of(value["amounts"])
    if value["kind"] == "datetime":
        return datetime.fromisoformat(value["iso"])
    own = {name: _whole(item, dispatch) for name, item in value["fields"].items()}
    return _PARTS[value["kind"]](**own)
