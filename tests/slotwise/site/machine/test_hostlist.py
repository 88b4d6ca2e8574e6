"""Host lists: expanded, checked and folded."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from slotwise.site.machine.hostlist import checked_hosts, expanded, folded


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu[001-003]", ["gpu001", "gpu002", "gpu003"]),
        ("n[8-10]", ["n8", "n9", "n10"]),
        ("n[08-10]", ["n08", "n09", "n10"]),
        # The upper end has more digits than the lower one, as in Slurm's own lists.
        ("n[99-101]", ["n99", "n100", "n101"]),
        # A step as in ClusterShell: every other number from 1 to 6.
        ("n[1-6/2,9]", ["n1", "n3", "n5", "n9"]),
        ("n[008-012/4]", ["n008", "n012"]),
        ("b,a[2,1]", ["b", "a2", "a1"]),
        ("r[1-2]n[0-1]-ib", ["r1n0-ib", "r1n1-ib", "r2n0-ib", "r2n1-ib"]),
    ],
)
def test_lists_are_spelled_out_in_their_order(text: str, names: list[str]) -> None:
    assert expanded(text, 10) == names
    assert checked_hosts(text) == len(names)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("n[5-1]", r"\[5-1\] runs backwards; write \[1-5\]"),
        ("n[1-", "has an unmatched bracket"),
        ("n1]", "has an unmatched bracket"),
        ("n[]", "must be a number or a range"),
        ("n[1-9/0]", r"\[1-9/0\] has a step of 0; write \[1-9/2\]"),
        ("n[1/2]", "must be a number or a range"),
        ("n[1-016/2]", "have different numbers of digits"),
        ("n[1-2-3]", "must be a number or a range"),
        ("n[a-b]", "must be a number or a range"),
        ("n[[1-2]]", "has an unmatched bracket"),
        ("n[1-016]", "have different numbers of digits"),
        ("n[01-010]", "have different numbers of digits"),
        ("n 1", "is not the name of a node"),
        ("n[1-2] ,m", "is not the name of a node"),
        ("a:b", "is not the name of a node"),
        ("", "contains no node"),
        (",", "contains no node"),
    ],
)
def test_malformed_lists_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        checked_hosts(text)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["n1", "n2", "n4"], "n[1-2,4]"),
        (["n08", "n09", "n10"], "n[08-10]"),
        (["n1", "n01"], "n[1,01]"),
        (["login", "n7"], "login,n7"),
        ([], ""),
    ],
)
def test_names_are_folded(names: list[str], text: str) -> None:
    assert folded(names) == text


STEMS = st.sampled_from(["n", "gpu-", "r1n", "login"])


@given(st.lists(st.tuples(STEMS, st.sampled_from(["", "0", "1", "2", "3", "09", "10", "011"]))))
def test_what_is_folded_is_spelled_out_again(parts: list[tuple[str, str]]) -> None:
    names = [stem + number for stem, number in parts]
    assert expanded(folded(names), 1000) == names
