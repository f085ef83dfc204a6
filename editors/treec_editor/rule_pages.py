"""The page of a rule as a file that an editor can open: what `treec explain` prints."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from treec.atomic import write_atomic
from treec.check.cache import folder
from treec.source.rules import find_rule


@lru_cache(maxsize=1024)
def rule_page(code: str) -> Path | None:
    """Return the file with a rule's page; None for an unknown rule, or if none can be written."""
    rule = find_rule(code)
    if rule is None:
        return None
    text = f"# {rule.code}: {rule.title} ({rule.severity})\n\n{rule.about}\n"
    for place in (folder().parent, Path(tempfile.gettempdir()) / "treec"):
        page = place / "rules" / f"{code}.md"
        try:
            if not page.is_file() or page.read_text("utf-8") != text:
                page.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(page, text)
        except OSError:
            continue
        return page
    return None
