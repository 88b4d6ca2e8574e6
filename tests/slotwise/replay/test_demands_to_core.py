"""Demands on nodes are derived once per trace and machine; the trace caches them."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import TYPE_CHECKING, Any

import slotwise as sw
from slotwise.replay import demands_to_core
from slotwise.trace import node_demands

if TYPE_CHECKING:
    import pytest

NODES = sw.Nodes([sw.NodeType(count=4, cores=8, gpus=2)])


def trace_of(n_jobs: int) -> sw.Trace:
    return sw.Trace.from_columns(range(n_jobs), [60] * n_jobs, [4] * n_jobs, gpus=[1] * n_jobs)


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[object]:
    calls: list[object] = []
    function = getattr(module, name)

    def call(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    monkeypatch.setattr(module, name, call)
    return calls


def test_units_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, node_demands, "units_of")
    trace, site = trace_of(3), sw.Site(machine=NODES)
    sw.simulate(trace, site)
    sw.simulate(trace, site.replace(policy=sw.Policy(order="sjf")))
    assert len(calls) == 1


def test_two_traces_in_turn_are_each_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, demands_to_core, "core_demands")
    traces, site = [trace_of(3), trace_of(4)], sw.Site(machine=NODES)
    for trace in traces * 2:
        sw.simulate(trace, site)
    assert len(calls) == 2


def test_another_machine_has_its_own_conversion() -> None:
    trace = trace_of(3)
    small = sw.Nodes([sw.NodeType(count=1, cores=4, gpus=1)])
    # The small machine runs one job at a time, so there the jobs start at 0, 60 and 120.
    assert sw.simulate(trace, sw.Site(machine=NODES)).start.tolist() == [0, 1, 2]
    assert sw.simulate(trace, sw.Site(machine=small)).start.tolist() == [0, 60, 120]
    assert sw.simulate(trace, sw.Site(machine=NODES)).start.tolist() == [0, 1, 2]


def test_the_conversion_goes_with_its_trace_and_not_into_pickles() -> None:
    trace = trace_of(3)
    sw.simulate(trace, sw.Site(machine=NODES))
    for other in (pickle.loads(pickle.dumps(trace)), copy.copy(trace)):
        assert other == trace
        assert other._on_nodes is other._in_core is None
    known = weakref.ref(trace)
    del trace, other
    gc.collect()
    assert known() is None
