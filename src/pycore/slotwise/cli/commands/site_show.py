"""``slotwise site show``."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from slotwise.cli.site_argument import merged_site, written_settings
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def show_site(file: Path | None, settings: Sequence[str], *, defaults: bool) -> None:
    """Print a site as TOML, or every key with its default."""
    if defaults:
        if file is not None or settings:
            raise UsageError(
                "--defaults prints the defaults that apply to every site; leave out the other "
                "arguments"
            )
        screen.write(
            resources.files("slotwise.site.parts")
            .joinpath("defaults.toml")
            .read_text(encoding="utf-8")
        )
        return
    screen.write(merged_site(file, written_settings(settings, None)).to_toml())
