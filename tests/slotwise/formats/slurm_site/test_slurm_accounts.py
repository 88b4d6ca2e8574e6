"""Shares of accounts and users from ``sacctmgr dump``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pathlib import Path

CONF = (
    "PriorityType=priority/multifactor\nPriorityWeightFairshare=10\nPriorityFlags=NO_FAIR_TREE\n"
    "NodeName=n[1-4] CPUs=4 RealMemory=8000\nPartitionName=a Nodes=ALL\n"
)
HEAD = "# Parent - 'root'\nCluster - 'lab':Fairshare=1:QOS='normal'\nParent - 'root'\n"
ROOT = "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n"


def described(
    tmp_path: Path, dump: str, conf: str = CONF, version: str | None = "25.11"
) -> tuple[dict[str, float], str]:
    (tmp_path / "slurm.conf").write_text(conf)
    (tmp_path / "dump").write_text(dump)
    found = describe_site(tmp_path / "slurm.conf", version=version, accounts=tmp_path / "dump")
    order = found.site.policy.order
    shares = {} if isinstance(order, str) else order.to_dict().get("shares", {})
    return shares, "\n".join(found.comments)


def test_the_shares_of_a_dump(tmp_path: Path) -> None:
    shares, comments = described(
        tmp_path,
        HEAD + ROOT + "Account - 'bio':Description='a:Fairshare=9':Organization='x':Fairshare=3\n"
        "Account - 'phy':Description='p'\nParent - 'bio'\n"
        "User - 'ann':DefaultAccount='bio':Fairshare=2\nUser - 'ann':Partition='a':Fairshare=7\n"
        "User - 'bob':Fairshare=parent\n",
    )
    assert shares == {"bio": 3, "phy": 1, "bio/ann": 2, "bio/bob": 1}
    assert "equal shares" not in comments
    assert "Ignored: 1 association with a partition." in comments
    told = "Fairshare=parent is not supported; each such association has one share (1 association)."
    assert told in comments


def test_accounts_within_accounts_have_their_parts_of_all_shares(tmp_path: Path) -> None:
    # The root user has 1/4 and science 3/4. In science, eve has 1 share, and bio has 2.
    shares, comments = described(
        tmp_path,
        HEAD + ROOT + "Account - 'science':Fairshare=3\nParent - 'science'\n"
        "Account - 'bio':Fairshare=2\nUser - 'eve':Fairshare=1\nParent - 'bio'\n"
        "User - 'ann':Fairshare=5\n",
    )
    assert shares == {"root": 0.25, "science": 0.25, "bio": 0.5, "science/eve": 1, "bio/ann": 5}
    assert "Some accounts contain other accounts" in comments


def test_shares_without_a_weight_are_left_out(tmp_path: Path) -> None:
    conf = CONF.replace("PriorityWeightFairshare=10\n", "")
    shares, comments = described(tmp_path, HEAD + "Account - 'bio':Fairshare=3\n", conf)
    assert not shares
    assert "Shares of accounts have no effect without a weight of fair share" in comments


def test_every_wrong_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, HEAD + "Account - 'bio':Fairshare=-3\nsacctmgr add account b\n")
    first, second = str(raised.value).splitlines()
    assert first == (
        f"{tmp_path}/dump:4: Fairshare=-3 must be a whole number from 0 to 2,147,483,646, or "
        "parent; correct it, or leave it out"
    )
    assert second.startswith(
        f"{tmp_path}/dump:5: 'sacctmgr add account b' is not a line from sacctmgr dump; use "
    )
    with pytest.raises(sw.SiteError, match="only the slurm preset has shares of accounts"):
        described(tmp_path, HEAD, version=None)
    with pytest.raises(sw.SiteError, match=r"none\.txt: cannot be read"):
        describe_site(tmp_path / "slurm.conf", version="25.11", accounts=tmp_path / "none.txt")
