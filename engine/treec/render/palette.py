"""The colours of pictures in light and dark schemes, as CSS inside the SVG.

All text has a contrast of at least 4.5:1 to its background in both schemes (WCAG 2, AA), held by a
test. Rules are scoped to `.treec`, so that a page can contain several pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

FONT = (
    "Inter,'Segoe UI','Helvetica Neue',Arial,'Liberation Sans','Noto Sans','Noto Sans CJK SC',"
    "'DejaVu Sans',sans-serif"
)


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as ``#rrggbb``; ``families`` and ``statuses`` map to (fill, line, symbol)."""

    ground: str
    text: str
    quiet: str
    edge: str
    families: dict[str, tuple[str, str, str]]
    statuses: dict[str, tuple[str, str, str]]


LIGHT = Palette(
    ground="#ffffff",
    text="#1b222c",
    quiet="#566070",
    edge="#8792a2",
    families={
        "control": ("#eaf1fb", "#4a78b5", "#255a9e"),
        "modifier": ("#f3f4f6", "#8a94a3", "#4d5766"),
        "condition": ("#e9f6f4", "#3f948a", "#1c6f66"),
        "ask": ("#f3eefb", "#8a68bd", "#66429f"),
        "action": ("#ffffff", "#9aa4b1", "#4d5766"),
        "part": ("#faf6ec", "#b29a5c", "#7a611d"),
    },
    statuses={
        "RUNNING": ("#fff3d6", "#c98a00", "#8f5f00"),
        "SUCCESS": ("#e4f5e7", "#2f9148", "#1d6b32"),
        "FAILURE": ("#fdeaea", "#cf3f45", "#ad2028"),
    },
)
DARK = Palette(
    ground="#12161c",
    text="#e8ecf2",
    quiet="#a6b0be",
    edge="#758192",
    families={
        "control": ("#18263a", "#5585c4", "#8db6ee"),
        "modifier": ("#20252d", "#7b8696", "#b4bdc9"),
        "condition": ("#142a28", "#43978d", "#7fd0c6"),
        "ask": ("#251d37", "#8c6cc2", "#c0a4f0"),
        "action": ("#1a2028", "#69758a", "#b4bdc9"),
        "part": ("#2a2414", "#9c8448", "#dcc180"),
    },
    statuses={
        "RUNNING": ("#3a2c08", "#d89c1c", "#f4c860"),
        "SUCCESS": ("#12301b", "#3fa35a", "#7fdb97"),
        "FAILURE": ("#3d1719", "#d9565b", "#ff9c9f"),
    },
)


def style_sheet() -> str:
    """The CSS rules of the light and the dark scheme."""
    still = (
        f".treec{{font-family:{FONT}}}"
        ".treec text{white-space:pre}.treec .centred{text-anchor:middle}"
        ".treec .title{font-size:16px;font-weight:600}"
        ".treec .label{font-size:13px}.treec .detail,.treec .edge-label,.treec .key{font-size:11px}"
        ".treec .edge{fill:none;stroke-width:1.3}.treec .dashed{stroke-dasharray:5 4}"
        ".treec .shape,.treec .inner{stroke-width:1.3}.treec .inner{fill:none}"
        ".treec .stroke{fill:none;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}"
        ".treec .RUNNING .shape,.treec .SUCCESS .shape,.treec .FAILURE .shape{stroke-width:2}"
    )
    dark = "@media (prefers-color-scheme:dark){" + _rules(DARK) + "}"
    return still + _rules(LIGHT) + dark


def _rules(palette: Palette) -> str:
    rules = [
        f".treec .ground,.treec .halo{{fill:{palette.ground}}}",
        f".treec .title,.treec .label{{fill:{palette.text}}}",
        f".treec .detail,.treec .edge-label,.treec .key{{fill:{palette.quiet}}}",
        f".treec .edge{{stroke:{palette.edge}}}.treec .arrow{{fill:{palette.edge}}}",
    ]
    for name, (fill, line, symbol) in [*palette.families.items(), *palette.statuses.items()]:
        rules.append(
            f".treec .{name} .shape{{fill:{fill};stroke:{line}}}"
            f".treec .{name} .inner{{stroke:{line}}}"
        )
        if name in palette.families:
            rules.append(
                f".treec .{name} .stroke{{stroke:{symbol}}}.treec .{name} .fill{{fill:{symbol}}}"
            )
        else:
            rules.append(
                f".treec .{name} .mark.stroke{{stroke:{symbol}}}"
                f".treec .{name} .mark.fill{{fill:{symbol}}}"
            )
    return "".join(rules)
