"""Output files of a command, checked before the work starts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from slotwise import extras
from slotwise._files import followed
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.trace import Trace


def check_output(path: Path, option: str, suffixes: tuple[str, ...], *kept: Path) -> Path:
    """Refuse an output file that could not be written after the replay.

    Parameters
    ----------
    path : Path
        The name as given.
    option : str
        The option that gives the name, for the message.
    suffixes : tuple of str
        The accepted suffixes; each stands for a format.
    *kept : Path
        Files that must not be overwritten: the inputs and other outputs.

    Raises
    ------
    UsageError
        If the name cannot be used; the message says how to correct it.
    """
    check_links(path, option)
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder; choose a file in it")
    if not path.name.lower().endswith(suffixes):
        known = f"{'one of ' * (len(suffixes) > 1)}{', '.join(suffixes)}"
        raise UsageError(f"{option} {path}: the name must end in {known}; change the name")
    folder = path.parent
    if not folder.exists():
        raise UsageError(f"{option} {path}: there is no folder '{folder}'; create it first")
    if not folder.is_dir():
        raise UsageError(f"{option} {path}: '{folder}' is a file, not a folder; choose a folder")
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path} is not a regular file; choose another file")
    if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise UsageError(
            f"{option} {path} is not writable; change its permissions, or choose another file"
        )
    _probe(path, option)
    for other in kept:
        if os.path.realpath(path) == os.path.realpath(other):
            raise UsageError(
                f"{option} {path} would overwrite a file that this command also uses; "
                "choose another file"
            )
    return path


def check_folder(path: Path, option: str, *, with_parents: bool = False) -> Path:
    """Refuse a folder that cannot be created or written to; it need not exist yet.

    Parameters
    ----------
    with_parents : bool, default False
        The command also creates missing parent folders; this function does not check that it can.

    Raises
    ------
    UsageError
    """
    check_links(path, option)
    if path.exists() and not path.is_dir():
        raise UsageError(f"{option} {path} is a file; choose a folder")
    if with_parents:
        return path
    if not path.exists() and not path.absolute().parent.is_dir():
        raise UsageError(f"{option} {path}: there is no folder '{path.parent}'; create it first")
    _probe(path / "file" if path.exists() else path.absolute(), option)
    return path


def check_links(path: Path, option: str) -> None:
    """Refuse a path that the system cannot resolve, such as one that is too long or a link loop."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as fault:
        raise UsageError(f"{option} {path}: {fault.strerror}; choose another name") from None


def _probe(path: Path, option: str) -> None:
    """Create a temporary file next to the output, to check that the folder is writable."""
    try:
        import tempfile

        with tempfile.NamedTemporaryFile(prefix=".slotwise.", dir=followed(path).parent):
            pass
    except OSError as fault:
        raise UsageError(
            f"{option} {path} cannot be written: no file can be created in '{path.parent}' "
            f"({fault.strerror}); choose another folder"
        ) from None


def check_parquet(path: Path) -> None:
    """Refuse a ``.parquet`` name early if pyarrow is not installed."""
    if path.suffix.lower() == ".parquet":
        extras.load("pyarrow.parquet")


def warn_of_lost_demands(trace: Trace, path: Path) -> None:
    """Warn on stderr that an SWF file cannot contain the jobs' requests for nodes."""
    if trace.demands is None or not path.name.lower().endswith((".swf", ".swf.gz")):
        return
    name = path.name[: path.name.lower().rindex(".swf")]
    screen.stderr().print(
        f"slotwise: warning: {path} does not contain the jobs' requests for nodes (units of "
        f"{', '.join(trace.demands.each)}), because SWF has no columns for them; "
        f"write {name}.csv or {name}.parquet to keep them",
        markup=False,
        soft_wrap=True,
    )
