"""The examples of docs/generators.md run as shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise.generators import registry

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "generators.md"


def test_the_code_of_the_page_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {model.name: model for model in registry.models()}
    monkeypatch.setattr(registry, "_models", known)  # the page registers a model
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 3
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    # The page prints 203, the number of GPU jobs in BATCH2 (Table 6 of the EURORA paper).
    assert re.fullmatch(r"20,000 jobs, mean wait \d+\.\d h\n203\n", capsys.readouterr().out)


def test_every_model_has_its_place_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for info in registry.models():
        assert f"**{info.name}**" in page
