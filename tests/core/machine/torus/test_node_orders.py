"""Node orders of boxes: consecutive positions are neighbours, and nearby positions stay close."""

import itertools
import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

from slotwise import _core

LAGS = list(range(2, 257))

# Cubes on which nodes at nearby positions are closer together, on average, in the snake order than
# under Skilling's transform. The sides of these cubes are powers of two, and short compared with
# the largest of LAGS, 256. The list has all such cubes of up to 2**17 nodes.
NEARER_BY_SNAKE = {(8, 8), (16, 16), (32, 32), (4,) * 5, (4,) * 6}

FAMILIES = {
    "2-D, sides to 30": list(itertools.product(range(1, 31), repeat=2)),
    "2-D, even sides to 64": list(itertools.product(range(2, 65, 6), range(4, 65, 10))),
    "3-D, sides to 9": list(itertools.product(range(1, 10), repeat=3)),
    "3-D, even sides to 14": list(itertools.product(range(2, 15, 2), repeat=3)),
}


def _random_boxes(dimensions: int, count: int) -> Iterator[tuple[int, ...]]:
    draw = random.Random(dimensions)
    while count:
        shape = tuple(draw.randint(1, 9) for _ in range(dimensions))
        if math.prod(shape) <= 4096:
            count -= 1
            yield shape


FAMILIES |= {f"{d}-D, drawn": list(_random_boxes(d, n)) for d, n in ((4, 150), (5, 100), (6, 60))}


def _mean_distance(torus: _core.Torus) -> float:
    """Return the mean distance between nodes that are 2 to 256 positions apart in node order."""
    return float(np.mean(torus.mean_distances(LAGS)[: max(torus.nodes - 2, 1)]))


def _visits_every_node_once(torus: _core.Torus) -> bool:
    nodes = torus.coordinates(np.arange(torus.nodes, dtype=np.int32))
    return np.array_equal(torus.positions(nodes), np.arange(torus.nodes))


@pytest.mark.parametrize("family", FAMILIES)
def test_hilbert_steps_to_neighbours_and_stays_as_near_as_a_snake_in_any_box(family: str) -> None:
    longer, farther = [], []
    for shape in FAMILIES[family]:
        hilbert, snake = (_core.Torus(list(shape), order, 1) for order in ("hilbert", "snake"))
        assert _visits_every_node_once(hilbert), shape
        if hilbert.longer_steps():
            longer.append(shape)
        if _mean_distance(hilbert) > _mean_distance(snake) + 1e-12:
            farther.append(shape)
    assert longer == []
    assert farther == [shape for shape in FAMILIES[family] if shape in NEARER_BY_SNAKE]


def test_cubes_of_a_power_of_two_where_a_snake_is_nearer_are_those_named() -> None:
    cubes = [(2**bits,) * d for d in range(2, 7) for bits in range(1, 17 // d + 1)]
    farther = set()
    for shape in cubes:
        hilbert, snake = (_core.Torus(list(shape), order, 1) for order in ("hilbert", "snake"))
        assert hilbert.longer_steps() == {}
        if _mean_distance(hilbert) > _mean_distance(snake) + 1e-12:
            farther.add(shape)
    assert farther == NEARER_BY_SNAKE


@pytest.mark.parametrize(
    ("shape", "at_most"), [((40, 32, 32), 0.71), ((24, 24, 24), 0.77), ((320, 256), 0.24)]
)
def test_on_large_machines_hilbert_is_far_nearer_than_a_snake(
    shape: tuple[int, ...], at_most: float
) -> None:
    hilbert, snake = (_core.Torus(list(shape), order, 1) for order in ("hilbert", "snake"))
    assert _visits_every_node_once(hilbert)
    assert hilbert.longer_steps() == {}
    assert _mean_distance(hilbert) <= at_most * _mean_distance(snake)


@pytest.mark.parametrize(("dimensions", "bits"), [(2, 5), (3, 4), (4, 3), (5, 2), (6, 2)])
def test_in_a_cube_each_aligned_subcube_is_one_stretch_of_the_line(
    dimensions: int, bits: int
) -> None:
    torus = _core.Torus([2**bits] * dimensions, "hilbert", 1)
    nodes = torus.coordinates(np.arange(torus.nodes, dtype=np.int32))
    steps = np.abs(np.diff(nodes, axis=0)).sum(axis=1)
    assert (steps == 1).all()  # no step wraps around a ring
    for level in range(1, bits):
        stretches = (nodes >> level).reshape(-1, 2 ** (dimensions * level), dimensions)
        assert (stretches == stretches[:, :1]).all()


def test_on_four_by_four_hilbert_is_the_second_figure_of_hilbert() -> None:
    # Hilbert 1891, figure 2, starting at a lower corner; Skilling's axes are swapped.
    figure = [
        "00",
        "01",
        "11",
        "10",
        "20",
        "30",
        "31",
        "21",
        "22",
        "32",
        "33",
        "23",
        "13",
        "12",
        "02",
        "03",
    ]
    torus = _core.Torus([4, 4], "hilbert", 1)
    nodes = torus.coordinates(np.arange(16, dtype=np.int32))
    assert ["".join(map(str, node)) for node in nodes.tolist()] in (
        figure,
        [node[::-1] for node in figure],
    )


def test_a_box_of_one_long_side_is_numbered_along_it() -> None:
    torus = _core.Torus([1, 7, 1], "hilbert", 1)
    nodes = torus.coordinates(np.arange(7, dtype=np.int32))
    assert nodes[:, 1].tolist() == list(range(7))


def test_a_million_nodes_are_numbered() -> None:
    torus = _core.Torus([100, 101, 100], "hilbert", 1)
    assert torus.nodes == 1_010_000
    assert torus.longer_steps() == {}
