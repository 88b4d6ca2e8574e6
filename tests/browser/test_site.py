"""The documentation site in a real browser: links, search, dark mode and the width of a phone."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
pytest.importorskip("sphinx", reason="sphinx is not installed: run make site")

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "build" / "site" / "html"
PHONE = 390
PAGES = (
    "index.html",
    "cli.html",
    "benchmarks.html",
    "api/slotwise.simulate.html",
    "api/slotwise.Simulation.html",
    "commands/compare.html",
    "studies/torus.html",
)


@pytest.fixture(scope="session")
def site() -> Path:
    script = ROOT / "docs" / "website" / "build.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return HTML


@pytest.fixture
def page(browser: Any, site: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    context.close()
    assert page.errors == []


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Serve the site as a web host does; if it is opened from disk, search shows no excerpts."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def addresses(page: Any) -> list[str]:
    """Return the addresses of the links and pictures of a page."""
    found: list[str] = page.eval_on_selector_all(
        "a[href], img[src], iframe[src]", "all => all.map(e => e.href || e.src)"
    )
    return found


def test_links_and_pictures_lead_to_files_and_their_anchors(page: Any, site: Path) -> None:
    anchors: dict[Path, str] = {}
    for name in PAGES:
        page.goto((site / name).as_uri())
        for address in addresses(page):
            parts = urlparse(address)
            if parts.scheme != "file":
                continue
            target = Path(unquote(parts.path))
            assert target.is_file(), f"{name} links {address}"
            if parts.fragment and target.suffix == ".html" and "report" not in target.name:
                text = anchors.setdefault(target, target.read_text(encoding="utf-8"))
                assert f'id="{unquote(parts.fragment)}"' in text, f"{name} links {address}"


def test_the_five_doors_open(page: Any, site: Path) -> None:
    for number in range(5):
        page.goto((site / "index.html").as_uri())
        doors = page.locator("#where-to-start > ul > li strong a")
        assert doors.count() == 5
        doors.nth(number).click()
        page.wait_for_load_state()
        assert not page.url.endswith("index.html") or "studies" in page.url
        assert page.locator("article h1").is_visible()


def test_search_finds_a_name_and_a_word(page: Any, address: str) -> None:
    for word, wanted in (("estimate_start", "Simulation"), ("backfilling", "replay")):
        page.goto(f"{address}/index.html")
        page.fill("input[name=q]", word)
        page.press("input[name=q]", "Enter")
        # Search results appear one after another.
        page.wait_for_selector(f"#search-results a[href*='{wanted}']", timeout=10_000)
        page.wait_for_load_state("networkidle")


def test_a_type_in_a_signature_leads_to_its_page(page: Any, site: Path) -> None:
    page.goto((site / "api" / "slotwise.simulate.html").as_uri())
    for name in ("Trace", "Site", "Result"):
        link = page.locator(f"dt.sig a:has-text('{name}')").first
        assert f"slotwise.{name}.html" in link.get_attribute("href")


def test_the_report_of_the_demo_is_shown(page: Any, site: Path) -> None:
    page.goto((site / "demo.html").as_uri())
    report = page.frame_locator("iframe.report")
    report.locator("html[data-ready]").wait_for(state="attached")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(browser: Any, site: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": PHONE, "height": 800})
    page = context.new_page()
    page.goto((site / name).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    context.close()


def test_dark_mode_follows_the_system(browser: Any, site: Path) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto((site / "index.html").as_uri())
        colours[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        context.close()
    assert colours["light"] == "rgb(255, 255, 255)"
    red, green, blue = (int(part) for part in colours["dark"][4:-1].split(","))
    assert max(red, green, blue) < 64
