"""Thousands of random replays and forged snapshots, in child processes that may crash or hang."""

from __future__ import annotations

import pytest

from slow.children import outcomes

pytestmark = pytest.mark.slow
CHUNK = 250


def _chunks(count: int) -> list[range]:
    return [range(start, start + CHUNK) for start in range(0, count, CHUNK)]


@pytest.mark.parametrize("seeds", _chunks(3000), ids=str)
def test_every_way_of_a_random_replay_gives_the_same_valid_schedule(
    seeds: range,
) -> None:
    found = outcomes("slow.random_replays", seeds, slowest=60)
    assert not found.faults, "\n".join(found.faults)
    # Most draws must be replayed to their end; otherwise this test would show nothing.
    assert sum(found.kinds[kind] for kind in ("nodes", "stepped", "changed")) > CHUNK / 2


@pytest.mark.parametrize("seeds", _chunks(2000), ids=str)
def test_a_forged_snapshot_is_refused_or_resumed(seeds: range) -> None:
    found = outcomes("slow.forged_snapshots", seeds, slowest=60)
    assert not found.faults, "\n".join(found.faults)
    assert found.kinds["resumed"] > CHUNK / 20


@pytest.mark.parametrize("seeds", _chunks(20_000), ids=str)
def test_sites_of_nodes_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.node_sites", seeds, slowest=120)
    assert not found.faults, "\n".join(found.faults)
    assert len(found.kinds) == 8  # one kind for each backfill policy


@pytest.mark.parametrize("seeds", _chunks(3000), ids=str)
def test_sites_of_one_pool_agree_with_the_oracle_and_the_planner_of_pools(seeds: range) -> None:
    found = outcomes("slow.one_pool", seeds, slowest=60)
    assert not found.faults, "\n".join(found.faults)
    assert found.kinds["nothing"] > CHUNK / 4


@pytest.mark.parametrize("seeds", _chunks(2000), ids=str)
def test_sites_of_a_common_pool_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.common_pools", seeds, slowest=60)
    assert not found.faults, "\n".join(found.faults)
    assert found.kinds["easy"] > CHUNK / 2


@pytest.mark.parametrize("seeds", _chunks(4000), ids=str)
def test_decisions_of_slurm_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.slurm_decisions", seeds, slowest=60)
    assert not found.faults, "\n".join(found.faults)
    assert min(found.kinds[kind] for kind in ("linear", "cons_tres")) > CHUNK / 5


@pytest.mark.parametrize("seeds", [range(60)], ids=str)
def test_cycles_of_slurm_in_large_states_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.slurm_large_states", seeds, slowest=300)
    assert not found.faults, "\n".join(found.faults)
    assert len(found.kinds) == 2


@pytest.mark.parametrize("seeds", _chunks(1000), ids=str)
def test_replays_under_slurm_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.slurm_replays", seeds, slowest=120)
    assert not found.faults, "\n".join(found.faults)
    assert min(found.kinds[kind] for kind in ("linear", "cons_tres")) > CHUNK / 5


@pytest.mark.parametrize("seeds", _chunks(1000), ids=str)
def test_replays_by_every_factor_of_the_priority_agree_with_the_oracle(seeds: range) -> None:
    found = outcomes("slow.slurm_priorities", seeds, slowest=120)
    assert not found.faults, "\n".join(found.faults)
    assert len(found.kinds) == 6
