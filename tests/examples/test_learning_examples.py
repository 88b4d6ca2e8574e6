"""The training examples run, and the network that they write can be used as an order."""

from __future__ import annotations

import pickle
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import slotwise as sw

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "rl"


def run(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / name), *arguments],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.filterwarnings("ignore")
def test_the_network_of_one_file_becomes_an_order(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    path = tmp_path / "network.onnx"
    printed = run("ppo.py", "--iterations", "2", "--seeds", "1", "--onnx", str(path))
    assert "held-out weeks" in printed
    order = sw.order_from_onnx(path)
    trace = sw.generate("lublin", n_jobs=300, processors=128, load=0.9, seed=7)
    site = sw.Site(policy=sw.Policy(order=order))
    starts = sw.simulate(trace, site).start
    assert (starts >= trace.submit).all()
    again = sw.Site(policy=sw.Policy(order=pickle.loads(pickle.dumps(order))))
    np.testing.assert_array_equal(sw.simulate(trace, again).start, starts)
    # The value network takes the whole observation, so its input is wider than an order allows.
    module = runpy.run_path(str(FOLDER / "ppo.py"))
    wide = tmp_path / "wide.onnx"
    torch.onnx.export(
        module["Agent"]().value, (torch.zeros(2, 163),), str(wide), dynamo=False,
        dynamic_axes={"input": {0: "n"}}, input_names=["input"],
    )  # fmt: skip
    with pytest.raises(sw.SiteError, match="needs one input"):
        sw.order_from_onnx(wide)


def test_a_file_that_is_not_a_network_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    (tmp_path / "text.onnx").write_text("text")
    with pytest.raises(sw.SiteError, match="is not an ONNX network"):
        sw.order_from_onnx(tmp_path / "text.onnx")


def test_maskable_ppo_trains() -> None:
    pytest.importorskip("sb3_contrib")
    assert "MaskablePPO" in run("maskable_ppo.py", "--decisions", "4096")
