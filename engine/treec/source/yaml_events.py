"""Yields YAML events from PyYAML's C parser (libyaml), or its Python parser if that is missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from yaml import YAMLError

from treec.source.text import SourceFile
from treec.source.yaml_errors import YamlStop
from treec.source.yaml_nodes import Scalar

Event: TypeAlias = Any
"""One of PyYAML's events, which have no types. Their marks count code points."""

if TYPE_CHECKING:

    class EventReader:
        """Yields the events of a text, one a call."""

        def __init__(self, stream: str) -> None: ...
        def get_event(self) -> Event:
            """Return the next event. Raises YAMLError."""

else:
    try:
        from yaml.cyaml import CParser as EventReader
    except ImportError:
        from yaml.parser import Parser
        from yaml.reader import Reader
        from yaml.scanner import Scanner

        class EventReader(Reader, Scanner, Parser):
            """PyYAML's own parser: the same events, some ten times slower."""

            def __init__(self, stream: str) -> None:
                Reader.__init__(self, stream)
                Scanner.__init__(self)
                Parser.__init__(self)


_PROPERTIES = re.compile(r"(?:[&!]\S*\s*)*")


def content_start(text: str, start: int, end: int) -> int:
    """Return the offset at which a scalar's content starts, after its tag and anchor."""
    match = _PROPERTIES.match(text, start, end)
    return match.end() if match else start


def stop_of(
    file: SourceFile, error: YAMLError, last: Scalar | None, open_at: int | None
) -> YamlStop:
    """Convert a syntax error of PyYAML's."""
    mark = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    at = mark.index if mark is not None else getattr(error, "position", 0)
    return YamlStop(
        file=file,
        problem=getattr(error, "problem", None) or getattr(error, "reason", None) or str(error),
        context=getattr(error, "context", None) or "",
        at=min(at, len(file.text)),
        context_at=None if context is None else min(context.index, len(file.text)),
        scalar_start=last.start if last else 0,
        scalar_end=last.end if last else 0,
        scalar_style=last.style if last else "plain",
        open_at=open_at,
    )
