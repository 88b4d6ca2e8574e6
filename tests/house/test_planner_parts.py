"""Structure of the pools planner: its parts own their state, and none includes the planner."""

from __future__ import annotations

from house import core_structure
from house.report import CORE

POOLS = "planner/pools/"


def test_no_class_of_the_pools_planner_has_more_than_forty_methods() -> None:
    counts = core_structure.methods_per_class(CORE)
    assert f"{POOLS}pools_planner.hpp:PoolsPlanner" in counts
    assert {name: n for name, n in counts.items() if name.startswith(POOLS) and n > 40} == {}


def test_no_part_includes_the_planner() -> None:
    users = [
        edge.file
        for edge in core_structure.includes(CORE)
        if edge.included == f"{POOLS}pools_planner.hpp" and edge.file.startswith(POOLS)
    ]
    assert users == [f"{POOLS}pools_planner.cpp"]
