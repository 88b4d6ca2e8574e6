"""Wrong arguments to the Python API: a typed error with a clear message, never a crash."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

TRACE = sw.Trace.from_columns([0, 1, 2], [10, 20, 30], [1, 2, 3], max_processors=4)
RESULT = sw.simulate(TRACE)


@pytest.mark.parametrize("count", [4, np.int64(4), np.uint8(4)])
def test_any_whole_number_is_a_machine(count: Any) -> None:
    assert sw.Processors(count) == sw.Site(machine=count).machine == sw.Processors(4)
    assert type(sw.Processors(count).count) is int


@pytest.mark.parametrize("count", [4.0, "4", True, None, 0, -1, 2**31, 10**30])
def test_other_values_are_refused(count: Any) -> None:
    with pytest.raises(sw.SiteError, match="the count must"):
        sw.Processors(count)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"depth": "2"}, "depth '2'"),
        ({"depth": 2.0}, "depth 2.0"),
        ({"relaxation": "half"}, "relaxation 'half'"),
        ({"relaxation": None}, "relaxation None"),
        ({"relaxation": True}, "relaxation true"),
        ({"relaxation": float("nan")}, "relaxation nan"),
        ({"relaxation": 10**400}, "relaxation 10"),
        ({"passes": 30}, "unknown passes '30'"),
        ({"passes": ["30s"]}, "unknown passes"),
        ({"passes": "0s"}, "a period must be at least 1 s and at most a year"),
        ({"passes": "367d"}, "at most a year"),
        ({"passes": "9" * 40 + "s"}, "unknown passes"),
        ({"order": []}, r"unknown order '\[\]'"),
        ({"estimates": {}}, "unknown estimates"),
        ({"kill_at_limit": None}, "kill_at_limit None"),
    ],
)
def test_a_policy_names_the_wrong_field(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(sw.SiteError, match=message):
        sw.Policy(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"backfill": "depth", "depth": 10**30},
        {"backfill": "relaxed", "relaxation": 1e308},
        {"passes": "366d"},
    ],
)
def test_the_largest_values_replay(changes: dict[str, Any]) -> None:
    result = sw.simulate(TRACE, sw.Site(policy=sw.Policy(**changes)))
    assert (result.start >= TRACE.submit).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: sw.simulate("log.swf"),
            "'log.swf' is not a Trace; pass sw.read_swf",
        ),
        (lambda: sw.simulate(None), "None is not a Trace"),
        (lambda: sw.simulate(TRACE, "pyss"), "'pyss' is not a Site"),
        (
            lambda: sw.simulate(TRACE, progress=5),
            "progress 5 is not callable; pass a function that takes the completed fraction",
        ),
        (lambda: sw.write_swf(5, "x.swf"), "5 is neither a trace nor a result"),
        (
            lambda: _core.simulate(None, _core.Site(4, _core.Policy())),
            "incompatible function arguments",
        ),
    ],
)
def test_an_argument_of_another_kind_is_a_type_error(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RESULT.metrics(threshold=1.5), "threshold is 1.5; use a number of seconds"),
        (lambda: RESULT.metrics(threshold=10**30), "threshold is 10+; use a number of seconds"),
        (lambda: RESULT.metrics(trim=(1e300, 0)), r"trim begin is 1e\+300;"),
        (lambda: RESULT.fair_start("all"), "sample is 'all'"),
        (lambda: RESULT.fair_start(2, seed=10**30), "seed is 10+; use"),
        (lambda: RESULT.fair_start(2, seed=0.5), "seed is 0.5"),
    ],
)
def test_a_measurement_names_the_wrong_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"submit": None}, "submit is None"),
        ({"submit": [[1], [1, 2]]}, "submit contains lists of different lengths"),
        ({"header_lines": "; MaxProcs: 8"}, "header_lines is '; MaxProcs: 8'"),
        ({"header_lines": 5}, "header_lines is 5"),
    ],
)
def test_values_that_are_not_columns_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(sw.TraceError, match=message):
        sw.Trace.from_columns(**{"submit": [0], "run_time": [1], "processors": [1], **given})


def test_a_path_may_be_bytes(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    sw.write_swf(TRACE, path)
    assert sw.read_swf(bytes(path)) == TRACE  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["start", "end", "wait", "state", "backfilled"])
def test_no_column_of_a_result_can_be_made_writeable(name: str) -> None:
    with pytest.raises(ValueError, match="WRITEABLE"):
        getattr(RESULT, name).setflags(write=True)


@pytest.mark.threads
def test_threads_that_share_a_trace_give_the_same_schedule() -> None:
    trace = sw.generate("lublin", n_jobs=2000, processors=64, seed=1)
    expected = sw.simulate(trace).start
    found: list[NDArray[np.int64]] = []
    threads = [
        threading.Thread(target=lambda: found.append(sw.simulate(trace).start)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all((starts == expected).all() for starts in found)


def test_a_fault_of_the_trace_found_in_the_replay_names_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise sw.TraceError("no logged waits; use another trace")

    trace = sw.Trace.from_columns([0], [1], [1], max_processors=1)
    trace.source = "log.swf"
    monkeypatch.setattr("slotwise.replay.run.core_simulate", refuse)
    with pytest.raises(sw.TraceError, match=r"^log\.swf: no logged waits") as told:
        sw.simulate(trace)
    assert told.value.path == "log.swf"


def test_a_fault_of_the_policy_found_in_the_replay_is_a_site_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("a fault of the policy")

    monkeypatch.setattr("slotwise.replay.run.core_simulate", refuse)
    with pytest.raises(sw.SiteError, match="a fault of the policy"):
        sw.simulate(TRACE)


def test_the_largest_job_number_leaves_none_for_a_submission() -> None:
    # Another job would have the number 2^63, which no column can hold.
    trace = sw.Trace.from_columns([0], [1], [1], job_id=[2**63 - 1])
    with pytest.raises((sw.TraceError, ValueError), match="leaves no number for another job"):
        sw.Simulation(trace, sw.Site(4))
