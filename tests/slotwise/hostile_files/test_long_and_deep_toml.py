"""Sites and settings that are too deeply nested or too large: refused quickly, with a position."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.site.build import build
from slotwise.site.toml import reader
from slotwise.site.toml.schema import LIST_TABLES, known_keys
from slotwise.site.toml.text import parsed

if TYPE_CHECKING:
    from pathlib import Path

DEEP = "nested more than 32 levels deep; a site needs at most five"
LONG = "a number of more than 400 digits"
PARTS = "a key has more than 32 parts"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = " + "[" * 100_000, f":1: {DEEP}"),
        ("\nx = " + "[" * 40 + "]" * 40, f":2: {DEEP}"),
        ("x = " + "{a=" * 100_000, f":1: {DEEP}"),
        ("[machine]\nprocessors = " + "9" * 5000, f":2: {LONG}"),
        ("[machine]\nprocessors = 1_" + "0_" * 400 + "0", f":2: {LONG}"),
        ("[machine]\nprocessors = 0x" + "f" * 5000, f": machine.processors: {LONG}"),
        ("[policy]\ndepth = 1\n" + "a." * 20_000 + "a = 1", f":3: {PARTS}"),
        ("a . " * 20_000 + "a = 1", f":1: {PARTS}"),
        ("# " + "a." * 50 + '\n"b"' + ".'b'" * 20_000 + " = 1", f":2: {PARTS}"),
        ("[" + "a." * 20_000 + "a]", f":1: {PARTS}"),
        ("x = {" + "a." * 20_000 + "a = 1}", f":1: {PARTS}"),
        ("[a.a.a.a.a.a.a.a.a.a]\nb.b.b.b.b.b.b.b.b.b = " + "{c.c.c.c.c=" * 5 + "1" + "}" * 5, DEEP),
        ("x = 1\ny = ]", ": not TOML: "),
    ],
)
def test_a_site_beyond_the_bounds_is_refused_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text)
    parsed = []
    loads = tomllib.loads

    def noted(text: str) -> Any:
        parsed.append(text)
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", noted)
    with pytest.raises(sw.SiteError) as raised:
        sw.Site.from_toml(path)
    assert f"{path}{told}" in str(raised.value) or (told == DEEP and DEEP in str(raised.value))
    assert len(parsed) == (told == DEEP or not told[1].isdigit())  # otherwise refused unparsed


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "a." * 50 + '"\n',
        "x = '" + "[" * 50 + "'\n",
        '# "\n' + "# " + "9" * 500 + "\n",
        'x = """\n' + "[" * 50 + '\n\\""" """"\ny = 1 # ' + "{" * 50,
        "x = '''" + "a." * 50 + "''''\ny = 1",
        '"' + "a." * 50 + '" = 1',
        "x = 3.25\n" + "".join(f"k{i} = 1.5\n" for i in range(100)),
        "x = [" + "[1], " * 100 + "]",
    ],
)
def test_texts_comments_and_long_lists_are_within_the_bounds(text: str) -> None:
    assert parsed(text) == tomllib.loads(text)


def test_a_site_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_MOST_BYTES", 10)
    (tmp_path / "s.toml").write_text("# 3456789\n")
    sw.Site.from_toml(tmp_path / "s.toml")
    (tmp_path / "s.toml").write_text("# 3456789\n\n")
    with pytest.raises(
        sw.SiteError, match=r"s\.toml is too large .*more than 10 bytes\); check the"
    ):
        sw.Site.from_toml(tmp_path / "s.toml")


WRONG = [10**30, 10**400, -(10**400), 10**5000, 1e300, float("nan"), float("inf"), 2**63, "9" * 400]
TABLES = {
    "outage": {"start": 10, "duration": 5, "processors": 1},
    "maintenance": {"start": 10, "duration": 5},
    "pool": {"name": "p", "processors": 4},
    "queue": {"name": "q"},
    "reservation": {"name": "r", "start": 10, "duration": 5, "processors": 1, "users": [1]},
    "crashes": {"law": "weibull", "mean": 100, "shape": 2},
}


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some numbers are not in the log
@pytest.mark.parametrize("table", [t for t in known_keys() if t != "dependencies"])
def test_a_site_that_passes_the_check_is_replayed(table: str) -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], [10, 10], user=[1, 2])
    for key in known_keys(table):
        for value in WRONG:
            changed = TABLES.get(table, {}) | {key: value}
            document = {table: [changed] if table in LIST_TABLES else changed}
            if table != "machine":
                document["machine"] = {"processors": 8}
            try:
                site = build(document)
            except sw.SiteError as fault:
                told = str(fault)
            else:
                told = "site: "
                sw.Simulation(trace, site)
            assert told.startswith("site: ")
            assert len(told) < 1500


def test_the_shape_of_crashes_is_bounded_as_in_the_core() -> None:
    with pytest.raises(sw.SiteError, match=r"shape: 1e\+300 must be above 0 and at most 10\^6"):
        sw.Crashes(law="weibull", mean=100, shape=1e300)
    assert sw.Crashes(law="weibull", mean=100, shape=1e6).shape == 1e6


@pytest.mark.parametrize("name", ["running", "processors_per_user", "queued_per_user"])
def test_a_limit_fits_into_64_bits(name: str) -> None:
    assert getattr(sw.Limits(**{name: 2**63 - 1}), name) == 2**63 - 1
    with pytest.raises(sw.SiteError, match=f"{name}: 9223372036854775808 must be at most 9223372"):
        sw.Limits(**{name: 2**63})


@pytest.mark.parametrize(
    "make",
    [
        lambda n: sw.Policy(depth=n),
        lambda n: sw.Policy(backfill="window", window=n),
        lambda n: sw.Policy(backfill=n),
        lambda n: sw.Policy(order={"name": "priority", "cores": n}),
        lambda n: sw.Processors(n),
        lambda n: sw.Torus((n, 2)),
        lambda n: sw.NodeType(count=n, cores=1),
        lambda n: sw.NodeType(count=1, cores=n),
        lambda n: sw.Queue("q", walltime=(0, n)),
        lambda n: sw.Crashes(times=[n]),
        lambda n: sw.Site(n),
        lambda n: sw.Site(8, queues=[n]),
        lambda n: sw.Trace.from_columns([0], [1], [1], max_processors=n),
        lambda n: sw.generate("lublin", n_jobs=n, processors=4),
        lambda n: sw.generate("lublin", n_jobs=5, processors=4, load=n),
    ],
)
def test_a_number_too_long_to_print_is_refused_with_its_place(make: Any) -> None:
    with pytest.raises(ValueError) as raised:
        make(10**5000)
    assert "set_int_max_str_digits" not in str(raised.value)


def test_repeated_instants_are_found_without_comparing_all_pairs() -> None:
    class Counted(int):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return int(self) == other

        def __hash__(self) -> int:
            return hash(int(self))

    from slotwise.site.parts.readers import many

    read = many(lambda value: value, "instants")
    assert len(read([Counted(i) for i in range(2000)])) == 2000
    assert Counted.compared < 10 * 2000
    with pytest.raises(sw.SiteError, match=r"\[2\]: 5 is listed twice"):
        many(int, "instants")([5, 6, 5])
