"""The colours of ``treec render`` as the page's CSS variables, so that both draw alike."""

from __future__ import annotations

from treec.render.palette import DARK, LIGHT, Palette

_LINES = {"RUNNING": "--running", "SUCCESS": "--succeeded", "FAILURE": "--has-failed"}


def palette_css() -> str:
    """The variables of the light and the dark scheme, and those of boxes by group and status."""
    return f"{_rules(LIGHT)}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"


def _rules(palette: Palette) -> str:
    lines = "".join(f"{_LINES[name]}:{line};" for name, (_, line, _) in palette.statuses.items())
    rules = [
        f":root{{--ground:{palette.ground};--text:{palette.text};--quiet:{palette.quiet};"
        f"--line-edge:{palette.edge};{lines}}}"
    ]
    for name, (fill, edge, symbol) in [*palette.families.items(), *palette.statuses.items()]:
        rules.append(f".box.{name}{{--fill:{fill};--edge:{edge};--symbol:{symbol}}}")
    return "".join(rules)
