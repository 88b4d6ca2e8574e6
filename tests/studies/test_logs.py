"""Folders in which a study searches for its logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from slotwise import TraceError
from slotwise.studies.logs import log_folder, log_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLOTWISE_TRACES", raising=False)
    (tmp_path / "work" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work" / "deep")


def test_a_given_folder_precedes_the_variable_and_both_precede_parent_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    above = tmp_path / "shared" / "traces"
    above.mkdir(parents=True)
    assert log_folder() == above
    monkeypatch.setenv("SLOTWISE_TRACES", "/named")
    assert str(log_folder()) == "/named"
    assert str(log_folder("given")) == "given"


def test_a_missing_log_is_refused_with_the_ways_to_name_the_folder(
    tmp_path: Path,
) -> None:
    with pytest.raises(TraceError, match=r"cannot be found in .*; set the folder .* --traces"):
        log_path("log.swf", tmp_path)
    (tmp_path / "log.swf").touch()
    assert log_path("log.swf", tmp_path) == tmp_path / "log.swf"
