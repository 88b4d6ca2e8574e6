"""Every format of job logs: found by its name, or by how a file begins."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise.entry_points import fault_of, loaded, points_of
from slotwise.errors import MissingExtraError, TraceError
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
"""Entry points of this group add formats: a path of a profile, a `Profile`, or a `Format`."""


@functools.cache
def formats() -> dict[str, Format]:
    """List the formats by name, in the order in which a file is tried.

    Raises
    ------
    PackageError
        For an installed package whose format is not one.
    """
    found: dict[str, Format] = {}
    for point in points_of(GROUP):
        found[point.name] = _of_package(point)
    profiles = Path(__file__).parent / "profiles"
    for file in sorted(profiles.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            profile = Profile.load(file)
            found.setdefault(profile.name, format_of_profile(profile))
    for format in own_formats():
        found.setdefault(format.name, format)
    return found


def format_of_profile(profile: Profile) -> Format:
    """Make the format that a profile describes."""
    reader = ProfileFormat(profile)
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
    text = f"is {given!r}; it must be the path of a profile, a Profile or a Format"
    raise fault_of(point, text)


def format_named(name: str) -> Format:
    """Find a format.

    Raises
    ------
    ValueError
        For a name that is not known.
    """
    known = formats()
    if name not in known:
        raise ValueError(f"unknown format {name!r}; known names are {', '.join(sorted(known))}")
    return known[name]


def recognised(path: str) -> Format | None:
    """Find the format of a file by its beginning; None where no format knows it."""
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
    """Read a job log of any known format.

    Parameters
    ----------
    path : path-like
        Packed with gzip, or with zstd where pyarrow is installed, or not packed.
    format : str, optional
        A name that ``slotwise formats`` lists; found by the file's beginning where it is absent.
    zone : str, optional
        Of times that name none, as ``"Europe/Stockholm"``; UTC where it is absent, or the zone
        that the format states.
    strict : bool, default False
        Turn the first fault of an SWF file into an error.
    nodes : Nodes, optional
        The nodes that events of the Slurm simulator are read with.

    Returns
    -------
    Trace

    Raises
    ------
    TraceError
        For a file that cannot be read, or has another format.
    ValueError
        For the name of a format that is not known.
    """
    source = str(path)
    named = None if format is None else format_named(format)
    chosen = named or recognised(source) or _by_name(source)
    try:
        return chosen.read(source, ReadOptions(zone, nodes, strict))
    except (TraceError, MissingExtraError) as fault:
        if named is None or isinstance(fault, MissingExtraError):
            raise
        better = recognised(source)
        if better is None or better.name == named.name:
            raise
        raise TraceError(
            f"{fault.message}; the file looks like {better.name} ({better.title}): read it with "
            f"--format {better.name}",
            path=fault.path,
            line=fault.line,
        ) from None


def _by_name(path: str) -> Format:
    """Choose by the suffix; a file that no format knows is taken for SWF."""
    suffix = Path(path).suffix.lower()
    return formats()[{".csv": "csv", ".parquet": "parquet"}.get(suffix, "swf")]
