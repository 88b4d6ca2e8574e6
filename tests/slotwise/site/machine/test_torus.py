"""The class `Torus`: its arguments, the numbering of its nodes, and distances between them."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw

SHAPES = (
    st.lists(st.integers(1, 9), min_size=1, max_size=6)
    .map(tuple)
    .filter(lambda shape: math.prod(shape) <= 4096)
)
ORDERS = st.sampled_from(list(sw.node_orders()))


def test_a_row_counts_the_last_axis_fastest() -> None:
    torus = sw.Torus((2, 3), order="row")
    assert torus.coordinates(range(6)).tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]


def test_a_snake_turns_at_the_end_of_every_row_and_plane() -> None:
    torus = sw.Torus((2, 2, 2), order="snake")
    line = ["".join(map(str, node)) for node in torus.coordinates(range(8)).tolist()]
    assert line == ["000", "001", "011", "010", "110", "111", "101", "100"]


@given(SHAPES, ORDERS)
def test_every_order_numbers_each_node_once(shape: tuple[int, ...], order: str) -> None:
    torus = sw.Torus(shape, order=order)
    nodes = torus.coordinates(range(torus.nodes))
    assert len(np.unique(nodes, axis=0)) == math.prod(shape) == torus.nodes
    assert np.array_equal(torus.position(nodes), np.arange(torus.nodes))


@given(SHAPES, ORDERS, st.data())
def test_distance_takes_the_shorter_way_round_each_axis(
    shape: tuple[int, ...], order: str, data: st.DataObject
) -> None:
    torus = sw.Torus(shape, order=order)
    a, b = (data.draw(st.integers(0, torus.nodes - 1)) for _ in range(2))
    apart = np.abs(torus.coordinates(a) - torus.coordinates(b))
    assert torus.distance(a, b) == np.minimum(apart, np.array(shape) - apart).sum()


@given(SHAPES, ORDERS, st.integers(1, 300))
def test_mean_distances_and_longer_steps_are_those_of_all_pairs(
    shape: tuple[int, ...], order: str, lag: int
) -> None:
    torus = sw.Torus(shape, order=order)
    at = np.arange(max(torus.nodes - lag, 0))
    expected = np.mean(torus.distance(at, at + lag)) if len(at) else 0.0
    assert torus.mean_distances(lag) == pytest.approx(expected, rel=1e-12)
    lengths = np.asarray(torus.distance(np.arange(torus.nodes - 1), np.arange(1, torus.nodes)))
    values, counts = np.unique(lengths[lengths > 1], return_counts=True)
    assert torus.longer_steps() == dict(zip(values.tolist(), counts.tolist(), strict=True))


def test_processors_are_those_of_all_nodes() -> None:
    torus = sw.Torus((6, 6, 4), processors_per_node=8)
    assert (torus.nodes, torus.count) == (144, 1152)


def test_equal_tori_are_one_value() -> None:
    assert sw.Torus([4, np.int64(2)]) == sw.Torus((4, 2))
    assert hash(sw.Torus([4, 2])) == hash(sw.Torus((4, 2)))
    assert sw.Torus((4, 2)) != sw.Torus((4, 2), order="row")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((), "torus: (): write the nodes along each axis"),
        (16, "torus: 16: write the nodes along each axis"),
        ("4x4", "torus: '4x4': write the nodes along each axis"),
        ((2.5, 2), "torus: (2.5, 2): write the nodes along each axis"),
        ((4, 0), "torus: [4, 0]: every axis must have at least 1 node"),
        ((1,) * 7, "has 7 axes; 1 to 6"),
        ((4096, 1025), "has 4,198,400 nodes; at most 4,194,304"),
    ],
)
def test_a_shape_that_is_none_is_refused(shape: object, message: str) -> None:
    with pytest.raises(sw.SiteError) as refused:
        sw.Torus(shape)  # type: ignore[arg-type]
    assert message in str(refused.value)


def test_an_unknown_order_lists_the_known_ones() -> None:
    with pytest.raises(sw.SiteError, match="unknown node order 'snaek'; did you mean 'snake'"):
        sw.Torus((4, 4), order="snaek")


@pytest.mark.parametrize("per_node", [0, -1, 1.5, True, 2**31])
def test_processors_per_node_are_a_number_of_at_least_one(per_node: object) -> None:
    with pytest.raises(sw.SiteError, match="processors_per_node"):
        sw.Torus((4, 4), processors_per_node=per_node)  # type: ignore[arg-type]


def test_more_processors_than_can_be_counted_are_refused() -> None:
    with pytest.raises(sw.SiteError, match="below 2\\^31 processors"):
        sw.Torus((2**20,), processors_per_node=2**11)


@pytest.mark.parametrize("position", [-1, 8, 2**40])
def test_a_position_beyond_the_nodes_is_an_index_error(position: int) -> None:
    torus = sw.Torus((2, 4))
    with pytest.raises(IndexError, match="positions 0 to 7"):
        torus.coordinates(position)
    with pytest.raises(IndexError, match="positions 0 to 7"):
        torus.distance(0, position)


def test_coordinates_outside_the_box_are_an_index_error() -> None:
    with pytest.raises(IndexError, match="coordinate 4 of axis 1 is out of range"):
        sw.Torus((2, 4)).position([1, 4])


def test_coordinates_of_another_dimension_are_a_value_error() -> None:
    with pytest.raises(ValueError, match="a node of this torus has 2"):
        sw.Torus((2, 4)).position([1, 1, 1])


def test_a_lag_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="lag is 0"):
        sw.Torus((2, 4)).mean_distances(0)


def test_a_site_on_a_torus_is_written_and_read_back(tmp_path: Path) -> None:
    site = sw.Site(machine=sw.Torus((6, 6, 4), order="row", processors_per_node=8))
    path = tmp_path / "torus.toml"
    assert "torus = [6, 6, 4]" in site.to_toml(path)
    assert sw.Site.from_toml(path) == site


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("torus = [6, 0]", "machine.torus: [6, 0]: every axis must have at least 1 node"),
        ("torus = 6", "machine.torus: 6 must be a list of whole numbers"),
        ("torus = [6, 2.5]", "machine.torus: 2.5 must be a whole number"),
        ("torus = [6]\norder = 'rwo'", "machine.order: unknown node order 'rwo'"),
        ("torus = [6]\nprocessors_per_node = 0", "machine.processors_per_node: 0 must be"),
        ("torus = [6]\nprocessors = 6", "machine.processors: the nodes of a torus determine"),
        ("order = 'row'", "machine.order: this applies only to a torus"),
        ("torus = 6\norder = 'row'", "machine.torus: 6 must be a list of whole numbers"),
    ],
)
def test_a_machine_table_that_is_no_torus_is_refused(
    tmp_path: Path, table: str, message: str
) -> None:
    path = tmp_path / "torus.toml"
    path.write_text(f"[machine]\n{table}\n")
    with pytest.raises(sw.SiteError) as refused:
        sw.Site.from_toml(path)
    (told,) = str(refused.value).splitlines()
    assert message in told
