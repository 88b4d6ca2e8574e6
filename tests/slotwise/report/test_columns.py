"""The packed columns of a report page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from slotwise.report.columns import pack, unpack

WIDE = st.integers(-(2**53), 2**53)


@given(st.lists(WIDE), st.lists(st.integers(0, 300)), st.booleans())
def test_packed_columns_are_read_back(
    first: list[int], second: list[int], as_differences: bool
) -> None:
    columns = {"first": np.array(first, dtype=np.int64), "second": np.array(second, dtype=np.int64)}
    packed = pack(columns, delta=frozenset({"first"} if as_differences else ()))
    back = unpack(packed)
    assert list(back) == ["first", "second"]
    assert back["first"].tolist() == first
    assert back["second"].tolist() == second


@pytest.mark.parametrize(
    ("values", "width"),
    [([7, 7], 0), ([-1, 254], 1), ([-1, 255], 2), ([0, 65536], 4), ([0, 2**32], 8)],
)
def test_a_column_uses_the_fewest_bytes_for_its_range(values: list[int], width: int) -> None:
    (spec,) = pack({"column": np.array(values)})["columns"]
    assert spec["bytes"] == width


def test_bools_are_packed_as_numbers() -> None:
    assert unpack(pack({"b": np.array([True, False])}))["b"].tolist() == [1, 0]
