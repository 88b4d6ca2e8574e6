"""The report page as a file."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core
from slotwise.report import write_report
from slotwise.report.columns import unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

HOSTILE = '</script><img src=x onerror="alert(1)">{{data}}<!--'


class Elements(HTMLParser):
    """Collects elements with their attributes and text, and scripts by id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self._script: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._script = (dict(attrs).get("id") or "code") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._script = None


def small_trace(**columns: Any) -> sw.Trace:
    return sw.Trace.from_columns(
        [0, 0, 10, 20], [100, 50, 30, 10], [3, 2, 1, 9], max_processors=4, **columns
    )


def page_data(html: str) -> tuple[dict[str, Any], dict[str, NDArray[np.int64]], list[Any]]:
    """Return the facts of a page, its trace columns, and the columns of each run."""
    scripts = Elements(html).scripts
    page = json.loads(scripts["page"])
    trace = unpack({"columns": page["trace"], "data": scripts["data-trace"]})
    runs = [
        unpack({"columns": run["columns"], "data": scripts[f"data-run-{k}"]})
        for k, run in enumerate(page["runs"])
    ]
    return page, trace, runs


def starts_in(html: str) -> list[NDArray[np.int64]]:
    """Return the starts of each run of a page, on the trace's clock."""
    page, trace, runs = page_data(html)
    return [
        np.where(run["wait"] < 0, -1, trace["submit"] + run["wait"] + page["origin"])
        for run in runs
    ]


def test_the_embedded_data_decodes_to_the_schedule(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns(
        [600_000, 600_000, 600_010, 600_020], [100, 50, 30, 10], [3, 2, 1, 9], max_processors=4
    )
    results = [sw.simulate(trace, sw.Site(policy=sw.Policy(backfill=b))) for b in ("none", "easy")]
    write_report(results, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text()
    for start, result in zip(starts_in(html), results, strict=True):
        assert start.tolist() == result.start.tolist()
    _, columns, runs = page_data(html)
    ran = results[0].start >= 0
    length = columns["run_time"] - runs[0]["cut"]
    assert (length[ran] == (results[0].end - results[0].start)[ran]).all()
    assert runs[1]["backfilled"].tolist() == results[1].backfilled.tolist()
    assert columns["job_id"].tolist() == [1, 2, 3, 4]


def test_the_embedded_places_add_up_to_the_processors_of_each_job(tmp_path: Path) -> None:
    result = sw.simulate(small_trace())
    write_report(result, tmp_path / "r.html")
    _, trace, (run,) = page_data((tmp_path / "r.html").read_text())
    assert run["pieces"].tolist() == [1, 1, 1, 0]
    assert len(run["first"]) == 3
    assert len(run["count"]) == 0
    assert trace["processors"].tolist() == [3, 2, 1, 9]


def test_a_job_in_several_places_keeps_the_length_of_all_but_the_last(tmp_path: Path) -> None:
    # One-processor jobs hold processors 0 to 3. Processors 0 and 2 become free at 5, and the last
    # job needs both.
    trace = sw.Trace.from_columns([0] * 4 + [1], [5, 9, 5, 9, 2], [1, 1, 1, 1, 2], max_processors=4)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    _, _, (run,) = page_data((tmp_path / "r.html").read_text())
    assert run["pieces"].tolist() == [1, 1, 1, 1, 2]
    assert run["first"].tolist() == [0, 1, 2, 3, 0, 2]
    assert run["count"].tolist() == [1]


def test_text_of_a_trace_never_becomes_markup(tmp_path: Path) -> None:
    log = tmp_path / "evil.swf"
    log.write_text(
        f"; MaxProcs: 4\n; Computer: {HOSTILE}\n; Installation: {HOSTILE}\n"
        f"; Queue: 1 {HOSTILE}\n; TimeZoneString: {HOSTILE}\n; UnixStartTime: 5\n"
        "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n"
    )
    result = sw.simulate(sw.read_swf(log))
    write_report(result, tmp_path / "r.html", title=HOSTILE, names=[HOSTILE], command=HOSTILE)
    html = (tmp_path / "r.html").read_text()
    elements = Elements(html)
    assert not [tag for tag, _ in elements.found if tag == "img"]
    assert html.count("</script>") == len([1 for tag, _ in elements.found if tag == "script"])
    page, _, _ = page_data(html)
    assert page["runs"][0]["name"] == HOSTILE
    assert page["labels"]["queue"]["1"] == HOSTILE
    assert unescape(html).count(HOSTILE) >= 4  # title, heading, the log's Computer, command


def test_the_page_loads_nothing_from_a_server(tmp_path: Path) -> None:
    write_report(sw.simulate(small_trace()), tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text()
    assert not re.search(r"https?://|//cdn|@import|url\(", html)
    for tag, attributes in Elements(html).found:
        assert tag != "link"
        assert not {"src", "href", "action"} & attributes.keys()
    assert "default-src 'none'" in html


def test_the_page_names_the_replay_its_command_and_left_out_jobs(tmp_path: Path) -> None:
    write_report(
        sw.simulate(small_trace()), tmp_path / "r.html", threshold=60, command="slotwise run x"
    )
    html = (tmp_path / "r.html").read_text()
    assert "4 processors" in html
    assert "order fcfs, backfill easy" in html
    assert f"by Slotwise {sw.__version__}" in html
    assert "<dd>slotwise run x</dd>" in html
    assert "max(run, 60 s)" in html
    assert "cover the 3 jobs that started; left out: 1 job rejected as too large" in html
    assert page_data(html)[0]["threshold"] == 60


def test_the_command_is_that_of_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/slotwise", "run", "my log.swf"])
    write_report(sw.simulate(small_trace()), tmp_path / "r.html")
    command = shlex.join(["slotwise", "run", "my log.swf"])
    assert f"<dd>{command}</dd>" in unescape((tmp_path / "r.html").read_text())


def test_a_trace_of_one_job_is_reported(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([7], [0], [1], max_processors=1)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    (start,) = starts_in((tmp_path / "r.html").read_text())
    assert start.tolist() == [7]


def test_an_empty_trace_is_reported(tmp_path: Path) -> None:
    nothing = np.array([], dtype=np.int64)
    trace = sw.Trace.from_columns(nothing, nothing, nothing, max_processors=4)
    schedule = _core.Schedule(nothing, nothing, nothing.astype(np.uint8), nothing.astype(np.uint8))
    write_report(sw.Result(trace, sw.Site(), schedule, 4, 0.0), tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text()
    assert starts_in(html)[0].tolist() == []
    assert "<dd>none</dd>" in html


def test_the_log_s_own_overbooked_schedule_is_reported(tmp_path: Path) -> None:
    # In the log, two jobs of 3 processors each run simultaneously on a machine of 4, so the page
    # draws 6 processors.
    trace = sw.Trace.from_columns([0, 0], [9, 9], [3, 3], max_processors=4, wait=[0, 0])
    result = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="as-logged")))
    write_report(result, tmp_path / "r.html")
    page, _, _ = page_data((tmp_path / "r.html").read_text())
    assert page["runs"][0]["processors"] == 4
    assert page["runs"][0]["extent"] == 6


def test_results_are_named_by_their_differences(tmp_path: Path) -> None:
    trace = small_trace()

    def names(*policies: sw.Policy) -> list[str]:
        results = [sw.simulate(trace, sw.Site(policy=policy)) for policy in policies]
        write_report(results, tmp_path / "r.html")
        page, _, _ = page_data((tmp_path / "r.html").read_text())
        return [run["name"] for run in page["runs"]]

    assert names(sw.Policy(backfill="none"), sw.Policy()) == ["none", "easy"]
    assert names(sw.Policy("sjf"), sw.Policy()) == ["sjf easy", "fcfs easy"]
    assert names(sw.Policy(), sw.Policy()) == ["fcfs easy (1)", "fcfs easy (2)"]
    exact = names(sw.Policy(), sw.Policy(estimates="exact"))
    assert exact == [
        "order fcfs, backfill easy",
        "order fcfs, backfill easy (estimates exact)",
    ]


def test_results_of_different_traces_are_refused(tmp_path: Path) -> None:
    other = sw.Trace.from_columns([0], [1], [1], max_processors=4)
    with pytest.raises(ValueError, match="result 2 comes from a different trace"):
        write_report([sw.simulate(small_trace()), sw.simulate(other)], tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_names_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    result = sw.simulate(small_trace())
    for names in (["a"], ["a", "a"]):
        with pytest.raises(ValueError, match="one unique name per result"):
            write_report([result, result], tmp_path / "r.html", names=names)


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one"):
        write_report([], tmp_path / "r.html")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing; create it first"):
        write_report(sw.simulate(small_trace()), tmp_path / "missing" / "r.html")


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_report(sw.simulate(small_trace()), tmp_path)


def test_a_failed_write_leaves_the_old_page_and_nothing_partial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "r.html"
    target.write_text("before")

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        write_report(sw.simulate(small_trace()), target)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_content_and_command_are_folded_away(tmp_path: Path) -> None:
    write_report(sw.simulate(small_trace()), tmp_path / "r.html", command="slotwise run x")
    html = (tmp_path / "r.html").read_text()
    (folded,) = re.findall(r"<header>.*?<details>(.*?)</details>", html, flags=re.DOTALL)
    assert "<dd>slotwise run x</dd>" in folded
    assert f"<dd>{small_trace().content_hash}</dd>" in folded
    assert html.count("slotwise run x") == 1


def test_an_attempt_that_an_outage_ended_is_in_the_page(tmp_path: Path) -> None:
    # The job runs from 5 to 20, all processors are down until 30, and the job runs again until 50.
    # Times on the page are measured from the first submit time, 5.
    trace = sw.Trace.from_columns([5], [20], [4])
    whole = sw.Site(machine=10)
    cut = whole.replace(maintenance=[sw.Maintenance(20, 10, mode="kill")])
    for site, earlier in ((cut, [0, 0, 15]), (whole, [])):
        write_report(sw.simulate(trace, site), tmp_path / "page.html")
        _, _, (run,) = page_data((tmp_path / "page.html").read_text())
        names = ("attempt_job", "attempt_start", "attempt_end")
        assert [value for name in names for value in run[name].tolist()] == earlier
