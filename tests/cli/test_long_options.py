"""Options that are too long, too deeply nested or too large: one-line usage errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from slotwise.cli.settings import parse_setting, parse_value
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEEP = "nested more than 32 levels deep; a site needs at most five"
LONG = "a number of more than 400 digits"
PARTS = "the key has more than 32 parts"


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("a." * 30_000 + "a=1", PARTS),
        ("machine.processors=" + "9" * 5000, f"--set machine.processors '9999.*{LONG}"),
        ("machine.processors=" + "[" * 100_000, f"--set machine.processors .*{DEEP}"),
        ("x=0x" + "f" * 5000, LONG),
    ],
)
def test_a_setting_beyond_the_bounds_is_refused_briefly(setting: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as raised:
        parse_setting(setting)
    assert len(str(raised.value)) < 300


def test_values_of_settings_are_read_as_before() -> None:
    assert parse_value("[1, [2]]", "--set x") == [1, [2]]
    assert parse_value("easy", "--set x") == "easy"
    assert parse_value("[easy", "--set x") == "[easy"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "log.swf", "--processors"),
        ("run", "log.swf", "--backfill", "depth", "--depth"),
        ("run", "log.swf", "--threshold"),
        ("explain", "log.swf"),
        ("explain", "log.swf", "1", "--row"),
        ("generate", "lublin", "out.swf", "--processors", "8", "--jobs"),
        ("generate", "lublin", "out.swf", "--processors", "8", "--load"),
        ("advise", "log.swf", "--walltime", "1h", "--cores"),
        ("site", "check", "site.toml", "--set"),
    ],
)
@pytest.mark.parametrize("digits", [400, 5000])
def test_options_of_many_digits_are_usage_errors(
    slotwise: Callable[..., Any], log: Path, tmp_path: Path, words: tuple[str, ...], digits: int
) -> None:
    (tmp_path / "site.toml").write_text("[machine]\nprocessors = 8\n")
    value = "9" * digits
    ended = slotwise(*words, f"policy.depth={value}" if words[0] == "site" else value)
    assert (ended.code, ended.out) == (2, ""), ended.err
    assert "fault of slotwise" not in ended.err
    assert "set_int_max_str_digits" not in ended.err
    assert log.name == "log.swf"
