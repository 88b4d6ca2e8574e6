"""Orders that are Python functions, or C functions passed by address or in a capsule."""

from __future__ import annotations

import copy
import ctypes
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.site.build import build

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.site.policy.order_functions import WaitingJobs

BACKFILLS = [info.name for info in sw.backfills() if info.name != "as-logged"]
RNG = np.random.default_rng(11)
RUN = RNG.integers(1, 900, 500)
TRACE = sw.Trace.from_columns(
    np.cumsum(RNG.integers(0, 60, 500)), RUN, RNG.integers(1, 17, 500), RUN + 40,
    max_processors=16,
)  # fmt: skip


def wfp3(jobs: WaitingJobs, now: int) -> Any:
    ratio = jobs.wait / jobs.requested_time
    return ratio * ratio * ratio * jobs["processors"]


def starts(order: Any, backfill: str = "easy") -> list[int]:
    found: list[int] = sw.simulate(
        TRACE, sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    ).start.tolist()
    return found


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_a_function_orders_as_the_formula_it_computes(backfill: str) -> None:
    assert starts(wfp3, backfill) == starts("wfp3", backfill)


def test_a_function_sees_the_waiting_jobs_and_whole_seconds() -> None:
    seen: list[tuple[int, list[float], list[float]]] = []

    def order(jobs: WaitingJobs, now: int) -> Any:
        assert jobs.wait.dtype == np.float64
        assert (jobs.submit + jobs.wait == now).all()
        seen.append((now, jobs.job_id.tolist(), jobs.queue_priority.tolist()))
        return -jobs.submit

    trace = sw.Trace.from_columns([0, 5, 6], [10, 10, 10], [2, 2, 2])
    sw.simulate(trace, sw.Site(sw.Processors(2), sw.Policy(order=order, backfill="none")))
    assert [row for row in seen if len(row[1]) > 1] == [
        (6, [2.0, 3.0], [0.0, 0.0]),
        (10, [2.0, 3.0], [0.0, 0.0]),
    ]


def test_a_static_function_is_asked_once_about_the_whole_trace() -> None:
    asked = []

    def narrow(jobs: WaitingJobs, now: int) -> Any:
        asked.append(len(jobs))
        return -jobs.processors

    assert starts(sw.NumPyOrder(narrow, static=True)) == starts("smallest")
    assert set(asked) == {len(TRACE)}


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (lambda jobs, now: jobs.wait * np.nan, sw.ReplayError, r"gives job \d+ .* the key NaN at"),
        (
            lambda jobs, now: jobs.wait[:-1],
            sw.SiteError,
            r"keys of shape \(\d+,\); it must return one key per waiting job \(\d+\)",
        ),
        (lambda jobs, now: 3.0, sw.SiteError, r"keys of shape \(\)"),
        (
            lambda jobs, now: jobs.wait > 3,
            TypeError,
            "keys of type bool; the keys must be real numbers",
        ),
        (lambda jobs, now: [None] * len(jobs), TypeError, "keys of type object"),
        (lambda jobs, now: None, TypeError, "keys of type object"),
        (lambda jobs, now: jobs.wait + jobs.color, AttributeError, "unknown column 'color'; known"),
        (lambda jobs, now: jobs["end"], sw.SiteError, "'end' is not yet known while a job waits"),
        (lambda jobs: jobs.wait, TypeError, "positional argument"),
        (lambda jobs, now: 1 // 0, ZeroDivisionError, "division"),
    ],
)
def test_a_wrong_answer_ends_the_replay_alone(
    answer: Any, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        starts(answer)
    assert starts("fcfs") == starts(lambda jobs, now: -jobs.submit)


def test_jobs_are_gone_when_the_call_is_over() -> None:
    kept: list[WaitingJobs] = []

    def order(jobs: WaitingJobs, now: int) -> Any:
        kept.append(jobs)
        return jobs.wait

    starts(order)
    with pytest.raises(RuntimeError, match="only during a call to the order"):
        len(kept[0])
    with pytest.raises(RuntimeError, match="only during a call to the order"):
        _ = kept[-1].wait


def test_a_function_is_a_value_by_identity(tmp_path: Path) -> None:
    policy = sw.Policy(order=wfp3)
    assert policy == sw.Policy(order=wfp3) == sw.Policy(order=sw.NumPyOrder(wfp3))
    assert hash(policy) == hash(sw.Policy(order=wfp3))
    assert policy != sw.Policy(order=lambda jobs, now: wfp3(jobs, now))
    assert policy != sw.Policy(order=sw.NumPyOrder(wfp3, static=True))
    assert pickle.loads(pickle.dumps(policy)) == copy.deepcopy(policy) == policy
    shown = policy.to_dict()["order"]
    assert shown == {"name": "numpy", "function": f"{__name__}.wfp3"}
    with pytest.raises(sw.SiteError, match=r"policy.order: numpy \(.*wfp3\) is a function, which"):
        sw.Site(policy=policy).to_toml(tmp_path / "site.toml")
    assert not list(tmp_path.iterdir())
    with pytest.raises(sw.SiteError, match="cannot be read from a file"):
        build({"policy": {"order": shown}})


def test_a_numpy_order_refuses_what_it_cannot_use() -> None:
    with pytest.raises(sw.SiteError, match=r"unknown job column 'color'.* known names are: submit"):
        sw.NumPyOrder(wfp3, columns=("wait", "color"))
    with pytest.raises(
        TypeError, match="3 is not callable; pass a function that takes the waiting jobs and now"
    ):
        sw.NumPyOrder(3)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="cannot be changed"):
        sw.NumPyOrder(wfp3).name = "other"


DOUBLES = ctypes.POINTER(ctypes.c_double)
SCORE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(DOUBLES), DOUBLES, ctypes.c_void_p
)


class Structure(ctypes.Structure):
    """The struct `slotwise_order` from slotwise_order.h."""

    _fields_ = (
        ("version", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("n_columns", ctypes.c_int64),
        ("columns", ctypes.POINTER(ctypes.c_char_p)),
        ("score", SCORE),
        ("data", ctypes.c_void_p),
    )


@SCORE
def smallest(n: int, now: int, columns: Any, keys: Any, data: int | None) -> int:
    for i in range(n):
        keys[i] = -columns[0][i]
    return 0


@SCORE
def failing(n: int, now: int, columns: Any, keys: Any, data: int | None) -> int:
    return 7


@SCORE
def nothing(n: int, now: int, columns: Any, keys: Any, data: int | None) -> int:
    for i in range(n):
        keys[i] = float("nan")
    return 0


def capsule(structure: Structure, name: bytes = b"slotwise.order.v1") -> Any:
    """The capsule holds no reference, so the callers must keep the structure and the name alive."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(structure), name, None)


def structure(version: int = 1, flags: int = 0, column: bytes = b"processors") -> Structure:
    names = (ctypes.c_char_p * 1)(column)
    return Structure(version, flags, 1, names, smallest, None)


@pytest.mark.parametrize("static", [False, True])
def test_a_function_of_ctypes_and_its_address_order(static: bool) -> None:
    address = ctypes.cast(smallest, ctypes.c_void_p).value
    for function in (smallest, address):
        order = sw.CompiledOrder(function, columns=("processors",), static=static)
        assert starts(order) == starts("smallest")


@pytest.mark.parametrize("flags", [0, 1])
def test_a_capsule_orders(flags: int) -> None:
    kept = structure(flags=flags)
    given = capsule(kept)
    order = sw.CompiledOrder(given, keepalive=kept)
    assert starts(order) == starts("smallest")
    assert sw.Policy(order=given) == sw.Policy(order=order)


def test_a_compiled_function_that_fails_says_so() -> None:
    with pytest.raises(
        sw.ReplayError, match=r"order compiled \(sevens\) returned the error code 7 at \d+ s"
    ):
        starts(sw.CompiledOrder(failing, ("wait",), name="sevens"))
    with pytest.raises(sw.ReplayError, match=r"gives job \d+ .* the key NaN"):
        starts(sw.CompiledOrder(nothing))


def test_compiled_orders_refuse_what_they_cannot_use() -> None:
    new, flagged, column = structure(version=2), structure(flags=6), structure(column=b"color")
    with pytest.raises(sw.SiteError, match="version 2 of slotwise_order, but this build accepts"):
        sw.CompiledOrder(capsule(new))
    with pytest.raises(sw.SiteError, match="unknown flags 6"):
        sw.CompiledOrder(capsule(flagged))
    with pytest.raises(sw.SiteError, match="unknown column 'color'; known names are: submit"):
        sw.CompiledOrder(capsule(column))
    name = b"other.v1"
    with pytest.raises(sw.SiteError, match="PyCapsule"):
        sw.CompiledOrder(capsule(new, name))
    with pytest.raises(sw.SiteError, match="the address of its function is null"):
        sw.CompiledOrder(0)
    with pytest.raises(
        sw.SiteError, match="uses wait, which changes over time, but is declared static"
    ):
        sw.CompiledOrder(smallest, ("wait",), static=True)
    with pytest.raises(sw.SiteError, match="needs a list of the columns it reads"):
        sw.Policy(order=smallest)
    with pytest.raises(TypeError, match="'text' is not a compiled function"):
        sw.CompiledOrder("text")
    with pytest.raises(TypeError, match="cannot be sent to another"):
        pickle.dumps(sw.CompiledOrder(smallest, ("processors",)))


def test_the_headers_are_shipped() -> None:
    from pathlib import Path

    folder = Path(sw.get_include())
    assert "SLOTWISE_ORDER_VERSION 1" in (folder / "slotwise_order.h").read_text()
    assert "cdef extern" in (folder / "slotwise_order.pxd").read_text()
