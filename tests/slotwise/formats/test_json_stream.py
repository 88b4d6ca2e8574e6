"""A JSON object read piece by piece, compared with the whole object."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.formats.records import json_stream
from slotwise.formats.records.json_stream import JsonStream

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["a", "", 'q"u\\o', "[{", "]}", "änne", "line\nend", "\\", "🙂"]


def drawn(draw: random.Random, depth: int) -> Any:
    kind = draw.randrange(8 if depth else 5)
    if kind < 5:
        return [None, draw.random() < 0.5, draw.randrange(-9, 10**9), 1.25, draw.choice(WORDS)][
            kind
        ]
    n_values = draw.randrange(4)
    if kind == 5:
        return [drawn(draw, depth - 1) for _ in range(n_values)]
    return {f"{draw.choice('xyz')}{i}": drawn(draw, depth - 1) for i in range(n_values)}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("piece", [1, 7, 1 << 17])
def test_elements_are_those_of_the_whole_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, piece: int
) -> None:
    draw = random.Random(seed)
    # With `_SHORT` at 1, every element counts as long, and only the members in `kept` are read.
    monkeypatch.setattr(json_stream, "_PIECE", piece)
    monkeypatch.setattr(json_stream, "_SHORT", 1 if seed % 2 else 1 << 18)
    jobs = [{"x0": drawn(draw, 3), "y1": drawn(draw, 3), "z9": drawn(draw, 4)} for _ in range(3)]
    named = {f"p{i}": {"x0": drawn(draw, 2), "other": drawn(draw, 3)} for i in range(2)}
    told = {"m": drawn(draw, 4), "jobs": jobs, "n": drawn(draw, 3), "count": 7, "named": named}
    text = json.dumps(told, indent=draw.choice([None, 1]), ensure_ascii=draw.random() < 0.5)
    (tmp_path / "f").write_text(text, encoding="utf-8")
    kept = ("x0", "y1")
    parts = list(JsonStream(str(tmp_path / "f"), {"jobs": kept, "named": kept}, ("count",)).parts())

    def only(value: dict[str, Any]) -> dict[str, Any]:
        return {name: each for name, each in value.items() if name in kept}

    found = [(name, key, only(v) if isinstance(v, dict) else v) for name, key, _, v in parts]
    assert found == [
        *(("jobs", "", only(job)) for job in jobs),
        ("count", "", 7),
        *(("named", key, only(value)) for key, value in named.items()),
    ]


def test_a_part_names_the_line_on_which_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "_PIECE", 5)
    monkeypatch.setattr(json_stream, "_SHORT", 1)
    # A string may not contain a line break, but values that are skipped are not checked.
    (tmp_path / "f").write_text('{\n"no": [\n{}, "\n"],\n"jobs": [\n{"x": 1},\n{"x": 2\n}]}')
    parts = JsonStream(str(tmp_path / "f"), {"jobs": ("x",)}).parts()
    assert [(part.line, part.value) for part in parts] == [(6, {"x": 1}), (7, {"x": 2})]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"jobs": [{"x": 1}', "(the end of the file found where ',' is required"),
        (
            '{"jobs": [{"x": 1},\n{"x": 5x}]}',
            "f:2: cannot be read as JSON (Expecting",
        ),
        ('{"jobs": [{"x": "' + "y" * 99 + '"}]}', "a value has more than 50 characters"),
        ('{"jobs": [{"x": ' + "[" * 9000 + "]" * 9000 + "}]}", "nested too deeply"),
        ('{5: "jobs"}', "a name must be a string"),
        ('{"other": [{"x": "y}]', "the file ends within a string"),
    ],
)
def test_a_fault_names_its_line_and_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.setattr(json_stream, "_PIECE", 16)
    monkeypatch.setattr(json_stream, "_SHORT", 20)
    if "nested" not in words:
        monkeypatch.setattr(json_stream, "_LONGEST", 50)
    (tmp_path / "f").write_text(text)
    with pytest.raises(sw.TraceError) as caught:
        list(JsonStream(str(tmp_path / "f"), {"jobs": ("x",)}).parts())
    assert words in str(caught.value)
