"""Names, features and selections of nodes."""

from __future__ import annotations

import pickle

import pytest

import slotwise as sw

CENTRE = sw.Nodes(
    [
        sw.NodeType(hosts="gpu[01-04]", cores=64, gpus=8, name="gpu", features=["a100", "ib"]),
        sw.NodeType(count=2, cores=128, name="fat", features=["ib"]),
        sw.NodeType(count=3, cores=32),
    ]
)


def test_hosts_give_the_count_and_types_their_names() -> None:
    assert [kind.count for kind in CENTRE.types] == [4, 2, 3]
    # Nodes of a type without a name are numbered by their position in the machine; 4 + 2 nodes come
    # before them.
    assert CENTRE.names == (
        "gpu01", "gpu02", "gpu03", "gpu04", "fat1", "fat2", "node7", "node8", "node9"
    )  # fmt: skip
    assert CENTRE.features == ("a100", "ib")
    assert CENTRE.n_nodes == 9
    assert CENTRE.count == 4 * 64 + 2 * 128 + 3 * 32


def test_types_with_hosts_are_values() -> None:
    assert pickle.loads(pickle.dumps(CENTRE)) == CENTRE
    assert hash(pickle.loads(pickle.dumps(CENTRE))) == hash(CENTRE)
    assert sw.NodeType(count=4, hosts="n[1-4]", cores=1) == sw.NodeType(hosts="n[1-4]", cores=1)
    assert sw.NodeType(count=4, cores=1) != sw.NodeType(hosts="n[1-4]", cores=1)
    assert sw.NodeType(hosts="n[1-4]", cores=1, features="ib").to_dict() == {
        "hosts": "n[1-4]",
        "cores": 1,
        "features": ["ib"],
    }


@pytest.mark.parametrize(
    ("selectors", "numbers"),
    [
        ("gpu[02-03]", [1, 2]),
        (["fat2", "gpu01"], [0, 5]),
        (["fat2,gpu01", "gpu01"], [0, 5]),
        ("type:fat", [4, 5]),
        ("feature:ib", [0, 1, 2, 3, 4, 5]),
        (["feature:a100", "node8"], [0, 1, 2, 3, 7]),
        ([], []),
    ],
)
def test_selectors_give_the_union_in_node_order(selectors: object, numbers: list[int]) -> None:
    assert CENTRE.select(selectors).tolist() == numbers  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("selectors", "told"),
    [
        ("gpu5", "there is no node 'gpu5'; the nodes are gpu01 to node9"),
        # Leading zeros matter.
        ("gpu1", "there is no node 'gpu1'"),
        ("type:thin", "unknown node type 'thin'; known names are: gpu, fat"),
        ("feature:a10", "unknown feature 'a10'; did you mean 'a100'"),
        ("feature:", "the name after 'feature:' is missing"),
        ("kind:fat", "is not the name of a node"),
        ("gpu[2-1]", "runs backwards"),
        (["fat1", "fat3"], r"\[1\]: there is no node 'fat3'"),
    ],
)
def test_selectors_that_name_no_node_are_refused(selectors: object, told: str) -> None:
    with pytest.raises(sw.SiteError, match=told):
        CENTRE.select(selectors)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("constraint", "numbers"),
    [
        ("", range(9)),
        ("ib", range(6)),
        ("a100&ib", range(4)),
        ("a100|ib", range(6)),
        # The operator & binds more tightly than |.
        ("a100&ib|ib", range(6)),
    ],
)
def test_constraints_allow_nodes_by_their_features(constraint: str, numbers: range) -> None:
    assert CENTRE.allowed(constraint).nonzero()[0].tolist() == [*numbers]


@pytest.mark.parametrize(
    ("constraint", "told"),
    [
        ("a100&", "lacks a feature before or after"),
        ("[a100|ib]", "are not supported"),
        ("a100*2", "are not supported"),
        ("(a100)", "are not supported"),
        ("h100", "unknown feature 'h100'"),
    ],
)
def test_constraints_that_cannot_be_met_or_read_are_refused(constraint: str, told: str) -> None:
    with pytest.raises(sw.SiteError, match=told):
        CENTRE.allowed(constraint)


def test_a_constraint_on_nodes_without_features_is_refused_with_the_remedy() -> None:
    told = "'h100'; no node has any features; add this one to the features of a node type"
    with pytest.raises(sw.SiteError, match=told):
        sw.Nodes([sw.NodeType(count=2, cores=4)]).allowed("h100")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"count": 5, "hosts": "n[1-4]"},
            "count: 5 does not match 'n\\[1-4\\]', which lists 4 hosts; set count to 4",
        ),
        ({"hosts": "n[4-1]"}, "hosts: .* runs backwards"),
        ({"hosts": "n[1-"}, "hosts: .* unmatched bracket"),
        ({"hosts": "n[1-2],n2"}, "hosts: it lists 'n2' twice"),
        ({"hosts": "n[1-2000000]"}, "hosts: it lists 2,000,000 nodes"),
        ({}, "count: the value is missing; set a count, or hosts"),
        ({"count": 1, "features": "a b"}, r"features\[0\]: 'a b' must be a name"),
        ({"count": 1, "exclusive": 1}, "exclusive: this name is a keyword of jobs' requests"),
    ],
)
def test_types_with_faults_are_refused(given: dict[str, object], told: str) -> None:
    with pytest.raises(sw.SiteError, match=told):
        sw.NodeType(cores=4, **given)  # type: ignore[arg-type]


def test_every_fault_of_a_type_is_told_at_once() -> None:
    with pytest.raises(sw.SiteError) as wrong:
        sw.NodeType(count=5, hosts="n[3-1]", gpus=-1, features=["a", "b&c"])
    places = [line.split(": ")[1] for line in str(wrong.value).splitlines()]
    assert places == ["hosts", "cores", "gpus", "features[1]"]


def test_two_types_share_no_host() -> None:
    with pytest.raises(sw.SiteError, match="types 0 and 1 both have a node 'n2'"):
        sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=1), sw.NodeType(hosts="n[2-3]", cores=1)])


def test_a_name_that_two_types_were_given_by_number_selects_neither() -> None:
    # The last of eleven nodes of "n" and the first of "n1" are both called n11.
    twice = sw.Nodes(
        [sw.NodeType(count=11, cores=1, name="n"), sw.NodeType(count=1, cores=1, name="n1")]
    )
    assert twice.select("n10").tolist() == [9]
    with pytest.raises(sw.SiteError, match="two nodes are named 'n11'"):
        twice.select("n11")


def test_whole_nodes_have_cores_alike() -> None:
    assert sw.Nodes([sw.NodeType(count=2, cores=4)], whole_nodes=True).to_dict()["whole_nodes"]
    with pytest.raises(sw.SiteError, match="whole_nodes: the nodes have 4 or 8 cores"):
        sw.Nodes([sw.NodeType(count=2, cores=4), sw.NodeType(count=2, cores=8)], whole_nodes=True)
