"""``slotwise study dispatch site``."""

from __future__ import annotations

import json
from typing import Annotated

import typer

verbs = typer.Typer()

Json = Annotated[
    bool,
    typer.Option(
        "--json", metavar="", help="Print one JSON object instead of TOML, with times in seconds."
    ),
]


@verbs.command("site")
def site_command(as_json: Json = False) -> None:
    """Print the study's site as TOML, to edit and pass with --site."""
    from slotwise.studies.dispatch.sites import default_text, read_site
    from slotwise.terminal import screen

    screen.write(json.dumps(read_site().to_dict()) + "\n" if as_json else default_text())
