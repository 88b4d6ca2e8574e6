"""Study `dispatch` on the command line: its site, and refused options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from slotwise.studies.dispatch.sites import read_site

if TYPE_CHECKING:
    from pathlib import Path


def test_the_command_prints_the_site_that_the_study_replays(slotwise: Any, tmp_path: Path) -> None:
    shown = slotwise("study", "dispatch", "site")
    (tmp_path / "same.toml").write_text(shown.out)
    assert read_site(tmp_path / "same.toml") == read_site()
    assert json.loads(slotwise("study", "dispatch", "site", "--json").out) == read_site().to_dict()
    for words, told in (
        (("--site", "none.toml"), "none.toml: there is no such site file"),
        (("--nodes-first", "fpga"), "--nodes-first 'fpga': no node type has this name; choose"),
    ):
        ended = slotwise("study", "dispatch", "--quick", "--fresh", *words)
        assert ended.code == 2
        assert told in ended.err
