"""All formats of job logs, found by name or by the beginning of a file."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise.entry_points import fault_of, loaded, points_of
from slotwise.errors import TraceError
from slotwise.formats.beginning import Beginning
from slotwise.formats.format import Format, ReadOptions
from slotwise.formats.own_formats import own_formats
from slotwise.formats.text.profile import Profile
from slotwise.formats.text.profile_format import ProfileFormat

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace

GROUP = "slotwise.formats"
"""Entry points in this group add formats: the path of a profile, a `Profile`, or a `Format`."""


@functools.cache
def formats() -> dict[str, Format]:
    """List the formats by name, in the order in which they are tried.

    Raises
    ------
    PackageError
        If an installed package provides something that is not a format.
    """
    found: dict[str, Format] = {}
    for point in points_of(GROUP):
        found[point.name] = _of_package(point)
    for reader in _profile_formats():
        found.setdefault(reader.profile.name, _format_of(reader))
    for format in own_formats():
        found.setdefault(format.name, format)
    return found


@functools.cache
def _profile_formats() -> tuple[ProfileFormat, ...]:
    files = sorted((Path(__file__).parent / "profiles").glob("*.toml"))
    return tuple(ProfileFormat(Profile.load(file)) for file in files)


def format_of_profile(profile: Profile) -> Format:
    """Create the format that a profile describes."""
    return _format_of(ProfileFormat(profile))


def _format_of(reader: ProfileFormat) -> Format:
    profile = reader.profile
    return Format(
        profile.name,
        profile.title,
        profile.evidence,
        reader.recognises,
        lambda path, options: reader.read(path, zone=options.zone),
        profile.how,
        profile.notes,
    )


def _of_package(point: EntryPoint) -> Format:
    given = loaded(point)
    if isinstance(given, Format):
        return given
    if isinstance(given, str | Path):
        try:
            given = Profile.load(Path(given))
        except (OSError, ValueError) as fault:
            raise fault_of(point, f"is a profile that cannot be read: {fault}") from fault
    if isinstance(given, Profile):
        return format_of_profile(given)
    text = f"is {given!r}; it must be a Format, a Profile, or the path of a profile"
    raise fault_of(point, text)


def format_named(name: str) -> Format:
    """Find a format.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    known = formats()
    if name not in known:
        raise ValueError(f"unknown format {name!r}; known names are {', '.join(sorted(known))}")
    return known[name]


def recognised(path: str) -> Format | None:
    """Find the format of a file by its beginning; return None if no format recognises it."""
    beginning = Beginning.of(path)
    if beginning is None:
        return None
    for format in formats().values():
        if format.recognises(beginning):
            return format
    return None


def read_trace(
    path: Any, format: str | None = None, zone: str | None = None, *, strict: bool = False,
    nodes: Nodes | None = None,
) -> Trace:  # fmt: skip
    """Read a job log in any known format.

    Parameters
    ----------
    path : path-like
        The file; it may be compressed with gzip, or with zstd if pyarrow is installed.
    format : str, optional
        A name that ``slotwise formats`` lists. Default: the format recognised from the file's
        beginning.
    zone : str, optional
        Zone of times that have none, such as ``"Europe/Stockholm"``. Default: the zone that the
        format states, otherwise UTC.
    strict : bool, default False
        Raise an error at the first fault of an SWF file.
    nodes : Nodes, optional
        The machine's nodes, needed to read events of the Slurm simulator.

    Returns
    -------
    Trace

    Raises
    ------
    TraceError
        For a file that cannot be read or has a different format.
    ValueError
        For an unknown format name.
    """
    source = str(path)
    named = None if format is None else format_named(format)
    found = None if named else recognised(source)
    chosen = named or found or _by_name(source)
    try:
        return chosen.read(source, ReadOptions(zone, nodes, strict))
    except TraceError as fault:
        _refuse_known(source)
        remark = "" if found else _what_it_is(source, chosen, is_named=named is not None)
        if not remark:
            raise
        raise TraceError(f"{fault.message}; {remark}", path=fault.path, line=fault.line) from None


def _refuse_known(source: str) -> None:
    """Refuse an empty file, a slurm.conf, and a sacct log with a known fault."""
    from slotwise.formats.sacct_header import sacct_fault
    from slotwise.site.toml.reader import is_slurm_conf, slurm_conf_remedy

    beginning = Beginning.of(source)
    if beginning is None:
        return
    if not beginning.data:
        raise TraceError("the file is empty; use a file with jobs", path=source)
    if is_slurm_conf("\n".join(beginning.lines)):
        raise TraceError(f"the file is not a log: {slurm_conf_remedy(source)}", path=source)
    if fault := sacct_fault(beginning):
        raise TraceError(fault, path=source)


def _what_it_is(source: str, tried: Format, *, is_named: bool) -> str:
    """Suggest how to read a file that the format `tried` could not read; "" if nothing is known."""
    better = recognised(source)
    if better is not None:
        if better.name == tried.name:
            return ""
        return (
            f"the file looks like {better.name} ({better.title}): read it with "
            f"--format {better.name}"
        )
    beginning = Beginning.of(source)
    if beginning is None or not beginning.lines or b"\0" in beginning.data:
        return ""
    for profile in _profile_formats():
        if profile.is_padded(beginning):
            name = profile.profile.name
            return (
                f"the file looks like {name} with fixed-width columns, which truncate values: "
                f"write the file as 'slotwise info --how {name}' shows"
            )
    if is_named:
        return ""
    return "its first lines match none of the known formats: 'slotwise formats' lists them"


def _by_name(path: str) -> Format:
    """Choose a format by the file's suffix; the default is SWF."""
    suffix = Path(path).suffix.lower()
    return formats()[{".csv": "csv", ".parquet": "parquet"}.get(suffix, "swf")]
