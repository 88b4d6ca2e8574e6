"""Sites with nodes: the core and the oracle agree on each job's start, end, reason and places.

The rules of `reference.node_sites.rules` are checked at every start as well.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from reference.examples import hurried
from reference.node_sites.comparison import differences
from reference.node_sites.drawing import BACKFILLS, FEATURES, draw_case, node_cases

HURRIED = hurried(30)
CALENDARS = (
    ("reservations",),
    ("reservations", "queues", "rules"),
    ("numbers",),
    ("numbers", "queues"),
    ("numbers", "reservations", "outages"),
    ("node-crashes",),
    ("node-crashes", "numbers", "users"),
    ("recurring", "outages"),
    ("recurring", "numbers"),
    ("recurring", "reservations"),
    ("recurring", "numbers", "reservations", "queues"),
    ("recurring", "outages", "reservations", "hours", "queues"),
)


@pytest.mark.parametrize("features", CALENDARS, ids="-".join)
@HURRIED
@given(data=st.data())
def test_the_core_agrees_on_calendars_of_nodes(
    features: tuple[str, ...], data: st.DataObject
) -> None:
    case = data.draw(node_cases(*features))
    assert not differences(case), case


@settings(HURRIED, max_examples=2 * HURRIED.max_examples)
@given(data=st.data())
def test_the_core_agrees_on_any_site_of_nodes(data: st.DataObject) -> None:
    features = data.draw(st.lists(st.sampled_from(FEATURES), unique=True))
    case = data.draw(node_cases(*features))
    assert not differences(case), case


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_core_agrees_on_sites_of_nodes(backfill: str) -> None:
    for seed in range(40):
        draw = Random(seed)
        features = [feature for feature in FEATURES if draw.random() < 0.4]
        case = draw_case(draw, *features, backfill=backfill)
        assert not differences(case), (seed, case)


@pytest.mark.parametrize("feature", ["defaults", "users"])
@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy", "depth", "replan"])
def test_the_core_agrees_on_default_requests_and_nodes_for_one_user(
    backfill: str, feature: str
) -> None:
    for seed in range(30):
        draw = Random(seed)
        features = [name for name in ("queues", "dependencies") if draw.random() < 0.5]
        case = draw_case(draw, *features, feature, backfill=backfill)
        assert not differences(case), (seed, case)


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_core_agrees_on_named_limits_on_nodes(backfill: str) -> None:
    for seed in range(40):
        draw = Random(seed)
        others = ("queues", "limits", "amounts", "submitted", "dependencies", "outages", "rules")
        features = [name for name in others if draw.random() < 0.4]
        case = draw_case(draw, *features, "named", backfill=backfill)
        assert not differences(case), (seed, case)
