"""Report pages: self-contained HTML files with embedded pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .measure import escaped
from .palette import DARK, FONT, LIGHT, Palette


@dataclass(frozen=True)
class PagePart:
    """A section of a page: a heading with a table, a picture or preformatted text.

    ``html`` is inserted without escaping.
    """

    title: str
    rows: tuple[tuple[str, ...], ...] = ()
    head: tuple[str, ...] = ()
    svg: str = ""
    html: str = ""
    text: str = ""
    note: str = ""
    style: str = ""
    """Further CSS; of several parts with the same, once."""


def render_page(title: str, lead: str, parts: Sequence[PagePart]) -> str:
    """Render a page; the same parts give the same bytes."""
    styles = "".join(dict.fromkeys(part.style for part in parts))
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escaped(title)}</title>",
        f"<style>{_style(styles)}</style></head>",
        "<body><main>",
        f"<h1>{escaped(title)}</h1>",
        f"<p>{escaped(lead)}</p>",
    ]
    for part in parts:
        lines += _part(part)
    return "\n".join([*lines, "</main></body></html>"]) + "\n"


def _part(part: PagePart) -> list[str]:
    lines = [f"<section><h2>{escaped(part.title)}</h2>"]
    if part.note:
        lines.append(f"<p>{escaped(part.note)}</p>")
    if part.svg:
        lines.append(f'<div class="picture">{part.svg}</div>')
    if part.html:
        lines.append(part.html)
    if part.rows:
        lines += _table(part.rows, part.head)
    if part.text:
        lines.append(f"<pre>{escaped(part.text)}</pre>")
    return [*lines, "</section>"]


def render_table(rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Render a table, for the ``html`` of a part; all cells are escaped."""
    return "\n".join(_table(rows, head))


def _table(rows: Sequence[Sequence[str]], head: Sequence[str]) -> list[str]:
    lines = ["<table>"]
    if head:
        cells = "".join(f"<th>{escaped(cell)}</th>" for cell in head)
        lines.append(f"<tr>{cells}</tr>")
    for row in rows:
        cells = "".join(f"<td>{escaped(cell)}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return [*lines, "</table>"]


def _style(more: str) -> str:
    still = (
        f"body{{font:15px/1.5 {FONT};margin:0}}main{{max-width:1040px;margin:0 auto;padding:24px}}"
        "h1{font-size:24px}h2{font-size:18px;margin-top:32px}"
        ".picture{overflow-x:auto}.picture svg{max-width:100%;height:auto}"
        "table{border-collapse:collapse}td,th{padding:4px 14px 4px 0;text-align:left;"
        "vertical-align:top;border-bottom:1px solid}"
        "pre{overflow-x:auto;padding:12px;border:1px solid;border-radius:6px;font-size:13px}"
    )
    dark = "@media (prefers-color-scheme:dark){" + _rules(DARK) + "}"
    return still + more + _rules(LIGHT) + dark


def _rules(palette: Palette) -> str:
    return (
        f"body{{background:{palette.ground};color:{palette.text}}}"
        f"td,th,pre{{border-color:{palette.edge}}}th,p{{color:{palette.quiet}}}"
    )
