"""Bounded runs of every fuzz target must give no findings; `make fuzz` runs them for longer."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import harness
import native


@pytest.mark.parametrize("name", harness.names())
def test_readers_accept_an_input_or_raise_a_documented_error(name: str, tmp_path: Path) -> None:
    target = harness.target(name)
    findings = harness.bounded_run(target, tmp_path, target.bounded)
    assert not findings, "\n".join(
        f"{finding.place} {finding.error}\n  {finding.data[:500]!r}" for finding in findings
    )


@pytest.mark.parametrize("name", harness.names())
def test_most_seeds_of_a_target_are_valid(name: str, tmp_path: Path) -> None:
    target = harness.target(name)
    read = 0
    for seed in target.seeds:
        with contextlib.suppress(*target.refusals):
            target.run(seed, tmp_path)
            read += 1
    assert read >= len(target.seeds) / 2


@pytest.mark.slow  # compiling takes longer than all tests above
@pytest.mark.parametrize("name", harness.names(".cpp"))
def test_a_target_in_cpp_finds_nothing(name: str, tmp_path: Path) -> None:
    program = native.build(name, tmp_path, native.compiler(), "-O0", str(native.LOOP))
    assert program is not None
    seeds = native.corpus(name, tmp_path)
    assert native.start(program, tmp_path, "-runs=2000", "-seed=1", corpus=seeds) == 0


def test_the_same_seed_gives_the_same_inputs() -> None:
    target = harness.target("csv")
    first, again = (harness.inputs(target, 5) for _ in range(2))
    assert [next(first) for _ in range(50)] == [next(again) for _ in range(50)]


def test_an_undocumented_exception_is_a_finding(tmp_path: Path) -> None:
    def run(data: bytes, _folder: Path) -> None:
        raise {b"a": KeyError, b"b": ValueError}[data]("wrong")

    target = harness.Target("made", (ValueError,), run, lambda _: b"b", (b"b", b"a", b"a"), 10)
    (finding,) = harness.bounded_run(target, tmp_path, 10)
    assert (finding.error, finding.data) == ("KeyError: 'wrong'", b"a")


def test_the_runner_loads_a_target_that_takes_seeds_of_the_reference(tmp_path: Path) -> None:
    runner = Path(__file__).with_name("run.py")
    command = [sys.executable, str(runner), "--child", "formats", "--seconds=0.1", "--seed=1"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.stdout.startswith("formats: "), ended.stderr
