"""``slotwise study NAME``: run it, print our figures beside the paper's, write them."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.cli import screen, tables, text
from slotwise.cli.exits import UsageError
from slotwise.cli.keywords import flag_of
from slotwise.cli.study_tables import study_tables
from slotwise.studies.cells import default_folder
from slotwise.studies.pictures import check_matplotlib
from slotwise.studies.registry import run_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from slotwise.studies.study import StudyInfo


@dataclass(frozen=True)
class StudyRequest:
    """A command line of ``study``."""

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
    """Run the study; print its rows and write what was asked for."""
    seeds = _parse_count("--seeds", request.seeds)
    workers = _parse_count("--workers", request.workers)
    if request.out is not None:
        _check_folder("--out", request.out)
        check_matplotlib()
    if request.fresh and request.cache is not None:
        raise UsageError("--fresh keeps no cells and --cache says where; give one of them")
    cache = None if request.fresh else _cache(request.cache)
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
    except OSError as fault:
        if cache is None or fault.filename is None or str(cache) not in str(fault.filename):
            raise
        raise UsageError(
            f"{fault.filename}: {fault.strerror}; name another folder with --cache, or give --fresh"
        ) from None
    written = result.write(request.out) if request.out is not None else []
    if request.json:
        screen.print_json(result.to_dict())
        return
    console = screen.stdout()
    for table in study_tables(result):
        console.print(table)
    tables.print_notes(console, [f"Paper: {request.study.paper}.", *result.notes])
    console.print(f"Took {text.took(result.seconds)}.")
    if written:
        console.print(
            f"{text.plural(len(written), 'file')} written to {request.out}",
            markup=False,
            soft_wrap=True,
        )


def _in_options(message: str, study: StudyInfo) -> str:
    """Name the option as it is typed where a study refuses one (``base=0: …``); else nothing."""
    name, _, rest = message.partition("=")
    return f"{flag_of(name)} {rest}" if name in study.parameters else ""


def _cache(given: Path | None) -> Path:
    folder = given or default_folder()
    _check_folder("--cache", folder)
    return folder


def _check_folder(option: str, folder: Path) -> None:
    """Refuse a folder that cannot be made, before the work and not after it."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{option} {folder} is a file; name a folder")
    if option == "--out" and not folder.resolve().parent.is_dir():
        raise UsageError(f"{option} {folder}: there is no folder '{folder.parent}'; make it first")


def _parse_count(option: str, written: str | None) -> int | None:
    if written is None:
        return None
    if not written.isascii() or not written.isdigit() or not 1 <= int(written) <= 4096:
        raise UsageError(f"{option} {written}: must be a whole number from 1 to 4096")
    return int(written)


@contextmanager
def _stages() -> Iterator[Callable[[str, float], None]]:
    """Give a callable that takes what is computed and the part done; a bar for each such stage."""
    with ExitStack() as bars:
        shown = ""
        advance: Callable[[float], None] = lambda _part: None  # noqa: E731

        def tell(what: str, part: float) -> None:
            nonlocal shown, advance
            if what != shown:
                bars.close()
                shown = what
                advance = bars.enter_context(screen.progress(what))
            advance(part)

        yield tell
