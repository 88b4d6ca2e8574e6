"""The console for all tables and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console

from slotwise.terminal.control_characters import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text


class SafeConsole(Console):
    """A console that prints control characters as escapes."""

    def render_str(self, text: str, *arguments: Any, **options: Any) -> Text:
        """Escape a string before rich measures it, so that columns keep their width."""
        return super().render_str(shown(text), *arguments, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escape the text of every segment, except rich's own control segments."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=shown(segment.text))
