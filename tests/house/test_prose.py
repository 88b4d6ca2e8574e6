"""Tests of the prose linter: it finds banned wording and accepts plain English."""

from __future__ import annotations

import pytest

from house import prose


@pytest.mark.parametrize(
    "text",
    [
        "What a planner starts from.",
        "Whether the score moves.",
        "Of the jobs that wait.",
    ],
)
def test_a_comment_that_does_not_open_with_its_subject_is_found(text: str) -> None:
    comments = list(prose.cpp_comments(f"// {text}\nint x;\n"))
    assert comments == [(1, text)]
    assert [f.line for f in prose.opening_findings(prose.ROOT, *comments[0])] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "one row a job",
        "the planner is\ntold",
        "at its submit",
        "from submit to start",
        "searched in vain",
        "'x' is no trace",
    ],
)
def test_a_banned_phrase_is_found_also_over_two_lines(text: str) -> None:
    assert len(list(prose.phrase_findings(prose.ROOT, 1, text))) == 1


@pytest.mark.parametrize(
    "text", ["the color of a bar", "two\nneighbors", "is canceled", "optimize"]
)
def test_an_american_spelling_is_found(text: str) -> None:
    assert len(list(prose.spelling_findings(prose.ROOT, 1, text))) == 1


@pytest.mark.parametrize(
    "text", ["the colour", "set `color`", "https://a.org/color", "``a.optimize``"]
)
def test_british_spelling_and_code_pass(text: str) -> None:
    assert not list(prose.spelling_findings(prose.ROOT, 1, text))


@pytest.mark.parametrize(
    "text",
    ["one row per job", "the submit time of a job", "How does a pass begin?", "a submission"],
)
def test_plain_english_passes(text: str) -> None:
    assert not list(prose.phrase_findings(prose.ROOT, 1, text))
    assert not list(prose.opening_findings(prose.ROOT, 1, text))


def test_code_in_a_page_is_not_prose() -> None:
    assert "told" not in prose.prose_of_page("```python\n# is told\n```\n`is told`\n")


def test_docstrings_comments_and_strings_are_kept_apart() -> None:
    source = '"""Doc."""\nx = "a message"  # a note\n'
    assert list(prose.python_comments(source)) == [(1, "Doc."), (2, "a note")]
    assert list(prose.python_strings(source)) == [(2, "a message")]
