"""The console all tables and sentences are printed on."""

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
    """A console on which control characters of what is printed are written as escapes."""

    def render_str(self, text: str, *arguments: Any, **options: Any) -> Text:
        """Turn words into text, safe before they are measured: columns keep their width."""
        return super().render_str(shown(text), *arguments, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Turn anything into segments; those that move the cursor are of rich itself."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=shown(segment.text))
