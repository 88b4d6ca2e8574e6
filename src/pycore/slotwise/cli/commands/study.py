"""``slotwise study NAME``: run a study, and print and write our figures next to the paper's."""

from __future__ import annotations

import errno
import os
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise import extras, text
from slotwise.cli.commands.study_tables import study_tables
from slotwise.cli.keywords import flag_of
from slotwise.studies.cells import default_folder
from slotwise.studies.registry import run_study
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from slotwise.studies.result import StudyResult
    from slotwise.studies.study import StudyInfo


@dataclass(frozen=True)
class StudyRequest:
    """The arguments of ``study``."""

    study: StudyInfo
    quick: bool
    seeds: str | None
    out: Path | None
    json: bool
    workers: str | None
    cache: Path | None
    fresh: bool
    options: dict[str, Any]


def run_request(request: StudyRequest) -> None:
    """Run the study, print its rows, and write the requested files."""
    seeds = _parse_count("--seeds", request.seeds)
    workers = _parse_count("--workers", request.workers)
    if request.out is not None:
        check_folder(request.out, "--out")
        extras.load("matplotlib")
    if request.fresh and request.cache is not None:
        raise UsageError(
            "--fresh stores nothing, but --cache sets a folder for storing results; "
            "use only one of them"
        )
    cache = None if request.fresh else _kept_in(request.cache)
    try:
        with _stages() as progress:
            result = run_study(
                request.study.name, quick=request.quick, seeds=seeds, workers=workers, cache=cache,
                progress=progress, **request.options,
            )  # fmt: skip
    except ValueError as fault:
        if type(fault) is ValueError and (message := _in_options(str(fault), request.study)):
            raise UsageError(message) from None
        raise
    if not request.json:
        _print(result)
    written = [] if request.out is None else _write(result, request.out)
    if request.json:
        screen.print_json(result.to_dict())
        return
    _print_conclusions(result)
    if written:
        suffixes = Counter(path.suffix.removeprefix(".") for path in written)
        kinds = ", ".join(f"{count} {suffix}" for suffix, count in suffixes.items())
        screen.stdout().print(
            f"{text.plural(len(written), 'file')} written to {request.out}: {kinds}.",
            markup=False,
            soft_wrap=True,
        )


def _write(result: StudyResult, folder: Path) -> list[Path]:
    with screen.progress("drawing") as advance:
        return result.write(folder, progress=advance)


def _print_conclusions(result: StudyResult) -> None:
    if not result.conclusions:
        return
    console = screen.stdout()
    console.print("\n[bold]Verdict[/]")
    tables.print_notes(console, result.conclusions, style="none")


def _print(result: StudyResult) -> None:
    console = screen.stdout()
    for table in study_tables(result):
        tables.widen(console, table)
        console.print(table)
    tables.print_notes(console, [f"Paper: {result.study.paper}.", *result.notes])
    console.print(f"Took {text.took(result.seconds)}.")
    console.file.flush()  # shows the tables now, because drawing pictures takes a while


def _in_options(message: str, study: StudyInfo) -> str:
    """Return a study's error ``base=0: …`` as ``--base 0: …``; return "" for other errors."""
    name, _, rest = message.partition("=")
    return f"{flag_of(name)} {rest}" if name in study.parameters else ""


def _kept_in(given: Path | None) -> Path | None:
    """Create the cache folder; return None if the default folder is unusable."""
    folder = given or default_folder()
    if given is not None:
        check_folder(given, "--cache", with_parents=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as fault:
        if given is not None:
            raise UsageError(
                f"--cache {given}: {fault.strerror}; choose another folder, or use --fresh"
            ) from None
        screen.stderr().print(
            f"slotwise: cannot store finished results in {folder}: {fault.strerror}", markup=False
        )
        return None
    return folder


def _parse_count(option: str, written: str | None) -> int | None:
    if written is None:
        return None
    if not written.isascii() or not written.isdigit() or not 1 <= int(written) <= 4096:
        raise UsageError(f"{option} {written} must be a whole number from 1 to 4096")
    return int(written)


@contextmanager
def _stages() -> Iterator[Callable[[str, float], None]]:
    """Show a progress bar per stage; yield a callable that takes a stage and the fraction done."""
    with ExitStack() as bars:
        shown = ""
        advance: Callable[[float], None] = lambda _part: None  # noqa: E731

        def advance_in(what: str, part: float) -> None:
            nonlocal shown, advance
            if what != shown:
                bars.close()
                shown = what
                advance = bars.enter_context(screen.progress(what))
            advance(part)

        yield advance_in
