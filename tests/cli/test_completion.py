"""Shell completion of subcommands, and of the values of options and arguments."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def completed(*words: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise"],
        env={**os.environ, "_SLOTWISE_COMPLETE": "complete_bash",
             "COMP_WORDS": " ".join(["slotwise", *words]), "COMP_CWORD": str(len(words))},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (("run", "--order", "s"), ["saf", "sjf", "smallest"]),
        (("run", "--backfill", "con"), ["conservative"]),
        (("run", "--preset", "py"), ["pyss"]),
        (("run", "--compression", "e"), ["early-end", "every-end"]),
        (("run", "--format", "sacct-j"), ["sacct-json"]),
        (("run", "--columns", "mean_wa"), ["mean_wait"]),
        (("run", "--columns", "mean_wait,makes"), ["mean_wait,makespan"]),
        (("run", "--by", "us"), ["user"]),
        (("compare", "--backfill", "none,ea"), ["none,easy"]),
        (("compare", "--order", "lj"), ["ljf"]),
        (("generate", "lub"), ["lublin"]),
        (("expl",), ["explain"]),
    ],
)
def test_a_name_is_completed(words: tuple[str, ...], values: list[str]) -> None:
    assert completed(*words) == values


def test_a_list_is_not_completed_by_a_name_that_it_has() -> None:
    assert "easy,easy" not in completed("compare", "--backfill", "easy,ea")
