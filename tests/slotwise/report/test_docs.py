"""The example of docs/report.md runs as shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_the_example_of_the_guide_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guide = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    exec(example, {})
    page = (tmp_path / "compared.html").read_text(encoding="utf-8")
    assert "256 processors" in page
    assert "2,000" in page
