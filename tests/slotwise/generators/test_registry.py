"""Registry of workload models, by name."""

from __future__ import annotations

import inspect

import pytest

import slotwise as sw
from slotwise.generators import lublin
from slotwise.generators.registry import models


def test_a_model_is_called_by_name_with_its_options() -> None:
    trace = sw.generate("lublin", n_jobs=50, processors=16, seed=3)
    assert trace == lublin(50, 16, seed=3)


@pytest.mark.parametrize("info", models(), ids=lambda m: m.name)
def test_every_model_is_described(info: sw.generators.ModelInfo) -> None:
    assert info.doc.endswith(".")
    assert info.reference
    documented = inspect.getdoc(info.function) or ""
    for name in info.parameters:
        assert f"\n{name} : " in documented, name


@pytest.mark.parametrize("info", models(), ids=lambda m: m.name)
def test_every_model_draws_the_same_trace_from_the_same_seed(
    info: sw.generators.ModelInfo,
) -> None:
    first, second = (info.function(n_jobs=100, seed=9) for _ in range(2))
    assert first == second
    assert len(first) == 100
    assert first != info.function(n_jobs=100, seed=10)


def test_an_unknown_model_lists_the_known_ones() -> None:
    known = "centre, eurora, kraken, lublin"
    with pytest.raises(
        ValueError, match=f"unknown workload model 'lubin'; known names are: {known}"
    ):
        sw.generate("lubin")


def test_an_unknown_option_lists_those_of_the_model() -> None:
    words = "model 'lublin' has no option 'njobs'; its options are: n_jobs, "
    with pytest.raises(ValueError, match=words):
        sw.generate("lublin", njobs=5)
