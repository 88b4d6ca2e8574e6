"""Every example runs and prints what its .out file shows."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import slotwise as sw

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_what_stands_beside_it(example: Path) -> None:
    if "from numba" in example.read_text(encoding="utf-8"):
        pytest.importorskip("numba", reason="numba has no wheel for this Python")
    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    assert done.stdout == example.with_suffix(".out").read_text(encoding="utf-8")


def test_the_learning_environment_is_one_of_gymnasium() -> None:
    # check_env warns about questionable choices, and the suite turns warnings into errors.
    module = runpy.run_path(str(FOLDER / "learning_environment.py"))
    trace = sw.generate("lublin", n_jobs=60, processors=64, load=0.9, seed=3)
    environment = module["Environment"](trace, sw.Site())
    assert isinstance(environment, gymnasium.Env)
    check_env(environment, skip_render_check=True)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


def test_the_sites_are_those_the_page_on_sites_shows_and_are_sound() -> None:
    page = (FOLDER.parent / "docs" / "sites.md").read_text(encoding="utf-8")
    # The page on sites does not show gpu-centre.toml; docs/generators.md describes it and its
    # workload.
    files = sorted(set((FOLDER / "sites").glob("*.toml")) - {FOLDER / "sites" / "gpu-centre.toml"})
    assert [file.stem for file in files] == ["cray-serc", "hybrid", "kraken"]
    for file in files:
        assert f"```toml\n{file.read_text(encoding='utf-8')}```" in page
        site = sw.Site.from_toml(file)
        assert all(queue.starvation == 86400 for queue in site.queues if not queue.spanning)


def test_jobs_of_table_1_go_to_the_queues_it_names() -> None:
    # The ranges in Table I of Kondameedi and Vadhiyar overlap. A job on 100 processors goes to
    # idqueue, the first queue, if it requests one hour. If it requests three hours, it goes to
    # small; if it requests two days, to small72.
    hour = 3600
    trace = sw.Trace.from_columns(
        submit=[0] * 8,
        run_time=[1] * 8,
        processors=[100, 100, 100, 1033, 8208, 8209, 22800, 22801],
        requested_time=[hour, 3 * hour, 48 * hour, hour, 24 * hour, hour, hour, hour],
        max_processors=35232,
    )
    result = sw.simulate(trace, sw.Site.from_toml(FOLDER / "sites" / "cray-serc.toml"))
    names = [result.queue_names[queue] for queue in result.queue[:7]]
    assert names == ["idqueue", "small", "small72", "medium", "medium", "large", "large"]
    assert result.rejections() == {sw.RejectReason.NO_QUEUE: 1}
