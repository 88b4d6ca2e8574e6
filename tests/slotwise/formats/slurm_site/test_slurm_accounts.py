"""Shares of accounts and users from ``sacctmgr dump``, or from sacctmgr commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

# A file of commands, and the dump that a real sacctmgr 22.05 wrote after it had run them.
CENTRE = Path(__file__).parents[3] / "slurm" / "lab" / "accounts"

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


def test_accounts_without_users_keep_their_parts_of_all_shares(tmp_path: Path) -> None:
    # The root user has 1 of 101 shares, science 60 and ai 40. In science, climate has 2 of 4
    # shares; bio and chem have 1 each, although the dump lists no users in them.
    shares, _ = described(
        tmp_path,
        HEAD + ROOT + "Account - 'science':Fairshare=60\nAccount - 'ai':Fairshare=40\n"
        "Parent - 'science'\nAccount - 'climate':Fairshare=2\nAccount - 'bio'\n"
        "Account - 'chem':Fairshare=1\nParent - 'climate'\nUser - 'ann':Fairshare=1\n",
    )
    of_all = {"root": 1 / 101, "climate": 30 / 101, "bio": 15 / 101, "chem": 15 / 101}
    assert shares == pytest.approx({**of_all, "ai": 40 / 101, "climate/ann": 1})


@pytest.mark.parametrize("file", ["centre.dump", "centre.accounts"])
def test_the_dump_of_a_real_slurm_and_the_commands_give_the_same_shares(
    tmp_path: Path, file: str
) -> None:
    # Account bio has 20 of 61 shares, and physics 40; in physics, optics has 1 of 4 and qcd 3.
    shares, comments = described(tmp_path, (CENTRE / file).read_text(encoding="utf-8"))
    users = {"bio/lab2": 1, "bio/lab3": 5, "optics/lab4": 1, "qcd/lab1": 2, "qcd/lab2": 2}
    accounts = {"root": 1 / 61, "bio": 20 / 61, "optics": 10 / 61, "qcd": 30 / 61}
    assert shares == pytest.approx(accounts | users)
    assert "Ignored: 1 association with a partition." in comments
    assert "each such association has one share (1 association)." in comments


def test_commands_of_several_forms(tmp_path: Path) -> None:
    lines = (
        "#!/bin/sh\n"
        "sudo sacctmgr -i create account name=bio,phy fairshare=3 Description='a b'  # both\n"
        "sacctmgr --immediate add user ann bob accounts=bio,phy Fairshare=2\n"
        "sacctmgr -i modify user ann set MaxJobs=3\n"
    )
    shares, _ = described(tmp_path, lines)
    users = {f"{account}/{user}": 2 for account in ("bio", "phy") for user in ("ann", "bob")}
    assert shares == {"bio": 3, "phy": 3} | users
    for wrong in ("sacctmgr add account 'bio", "sacctmgr add account a fairshare=many", "echo"):
        with pytest.raises(sw.SiteError, match=r"dump:2: .*(neither a line|a whole number)"):
            described(tmp_path, "sacctmgr add account b\n" + wrong + "\n")


def test_limits_and_priorities_of_a_dump_are_listed(tmp_path: Path) -> None:
    _, comments = described(
        tmp_path,
        HEAD + "Account - 'bio':Description='a:MaxJobs=9':Fairshare=3:GrpTRES=gres/gpu=64,cpu=8\n"
        "Account - 'phy':MaxJobs=100:Priority=10\nParent - 'bio'\n"
        "User - 'ann':Fairshare=2:MaxJobs=5:GrpJobs=-1:MaxWallDurationPerJob=60\n",
    )
    assert (
        "Left out (limits per user, account and QOS; add those that sites support under [limits] "
        "or [[named_limit]]): GrpTRES=gres/gpu=64,cpu=8 (account bio), MaxJobs=100 (account phy) "
        "and 1 more, MaxWallDurationPerJob=60 (user ann in bio)."
    ) in comments
    assert "to order in [policy]): Priority=10 (account phy)." in comments


def test_limits_of_commands_are_listed(tmp_path: Path) -> None:
    _, comments = described(
        tmp_path,
        "sacctmgr -i add account bio GrpJobs=5\n"
        "sacctmgr -i modify qos normal set MaxJobsPerUser=6 Priority=3\n"
        "sacctmgr modify user ann where account=bio set MaxJobs=4\n",
    )
    assert (
        "GrpJobs=5 (account bio), MaxJobsPerUser=6 (qos normal), MaxJobs=4 (user ann)." in comments
    )
    assert "to order in [policy]): Priority=3 (qos normal)." in comments


def test_shares_without_a_weight_are_left_out(tmp_path: Path) -> None:
    conf = CONF.replace("PriorityWeightFairshare=10\n", "")
    shares, comments = described(tmp_path, HEAD + "Account - 'bio':Fairshare=3\n", conf)
    assert not shares
    assert "Shares of accounts are left out, because they have no effect without" in comments


def test_every_wrong_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError) as raised:
        described(
            tmp_path,
            HEAD + "Account - 'bio':Fairshare=-3\nsacctmgr modify account b set Fairshare=2\n",
        )
    first, second = str(raised.value).splitlines()
    assert first == (
        f"{tmp_path}/dump:4: Fairshare=-3 must be a whole number from 0 to 2,147,483,646, or "
        "parent; correct it, or leave it out"
    )
    assert second.startswith(
        f"{tmp_path}/dump:5: 'sacctmgr modify account b set Fairshare=2' is neither a line from "
        "sacctmgr dump nor a sacctmgr command that adds an account or a user; use the file"
    )
    with pytest.raises(sw.SiteError, match="only the slurm preset has shares of accounts"):
        described(tmp_path, HEAD, version=None)
    with pytest.raises(sw.SiteError, match=r"none\.txt: cannot be read"):
        describe_site(tmp_path / "slurm.conf", version="25.11", accounts=tmp_path / "none.txt")
