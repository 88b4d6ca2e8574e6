"""What docs/report.md shows runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[3]
LOG = "KTH-SP2-1996-2.1-cln.swf.gz"


def test_the_example_of_the_guide_writes_a_page(
    shared_traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LOG).symlink_to(shared_traces / LOG)
    monkeypatch.chdir(tmp_path)
    guide = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    exec(example, {})
    page = (tmp_path / "compared.html").read_text(encoding="utf-8")
    assert "IBM SP2" in page
    assert "100 processors" in page
