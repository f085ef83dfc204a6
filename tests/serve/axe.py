"""axe-core in a page: what keeps people out who do not see it, or see it badly.

``axe/axe.min.js`` is axe-core 4.14.1 as published (MPL 2.0, ``axe/LICENSE``); it is used by tests
alone and is no part of what is installed.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.serve.browser import Browser

SCRIPT = Path(__file__).parent / "axe/axe.min.js"
SERIOUS = ("serious", "critical")


def findings(page: Browser, dark: bool = False) -> list[str]:
    """The serious findings in the page as it is shown now, in the light or the dark colours."""
    page.colours("dark" if dark else "light")
    page.value(f"(() => {{ {SCRIPT.read_text('utf-8')} }})()")
    found = page.value("axe.run(document, {resultTypes: ['violations']}).then(it => it.violations)")
    return [
        f"{one['id']}: {one['help']}: {json.dumps([node['html'] for node in one['nodes']])[:400]}"
        for one in found
        if one["impact"] in SERIOUS
    ]
