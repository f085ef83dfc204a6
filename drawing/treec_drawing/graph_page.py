"""A picture as one HTML page: an outline to fold and search beside the drawing to zoom and move.

The page needs no network. Labels are text in it, never markup, and its script reads them as text.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape

from treec.render.graph import DrawnGraph, Vertex
from treec.render.kinds import drawing_of, kind_label
from treec.render.measure import clean, escaped, one_line
from treec.render.palette import DARK, FONT, LIGHT, Palette
from treec_drawing.svg import render_svg

_STYLE = """
*{box-sizing:border-box}
body{margin:0;height:100vh;display:grid;grid-template:auto 1fr/minmax(220px,26%) 1fr;
font:14px/1.4 FONT}
header{grid-column:1/3;display:flex;gap:12px;align-items:center;padding:8px 14px;border-bottom:1px
solid}
h1{font-size:16px;margin:0;flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
input{font:inherit;padding:4px 8px;width:220px}
nav{overflow:auto;padding:8px;border-right:1px solid}
ul{list-style:none;margin:0;padding-left:14px}nav>ul{padding:0}
summary{cursor:default}
nav button{font:inherit;color:inherit;background:none;border:0;padding:1px 4px;text-align:left;
cursor:pointer;max-width:100%}
nav button:focus-visible,input:focus-visible{outline:2px solid #3b82f6}
nav .found{font-weight:bold;text-decoration:underline}
.hidden{display:none}
main{overflow:hidden;position:relative;cursor:grab}main.moving{cursor:grabbing}
main svg{position:absolute;left:0;top:0;transform-origin:0 0}
g.dim{opacity:.18}g.chosen>*:first-of-type,g.chosen rect,g.chosen path{stroke-width:3}
"""

_SCRIPT = """
"use strict";
const main = document.querySelector("main"), svg = main.querySelector("svg");
const boxes = new Map(), items = new Map();
for (const box of svg.querySelectorAll("[data-id]")) boxes.set(box.dataset.id, box);
for (const item of document.querySelectorAll("nav button")) items.set(item.dataset.id, item);
let x = 0, y = 0, scale = 1;
const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
function show() { svg.style.transform = `translate(${x}px,${y}px) scale(${scale})`; }
function fit() {
  scale = Math.min(1, main.clientWidth / width, main.clientHeight / height) || 1;
  x = Math.max(0, (main.clientWidth - width * scale) / 2); y = 0; show();
}
function zoom(factor, left, top) {
  const next = Math.min(8, Math.max(0.02, scale * factor));
  x = left - (left - x) * next / scale; y = top - (top - y) * next / scale; scale = next; show();
}
main.addEventListener("wheel", event => {
  event.preventDefault();
  const frame = main.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 400), event.clientX - frame.left, event.clientY - frame.top);
}, {passive: false});
let from = null;
main.addEventListener("pointerdown", event => {
  from = [event.clientX - x, event.clientY - y]; main.setPointerCapture(event.pointerId);
  main.classList.add("moving");
});
main.addEventListener("pointermove", event => {
  if (from) { x = event.clientX - from[0]; y = event.clientY - from[1]; show(); }
});
for (const end of ["pointerup", "pointercancel"]) main.addEventListener(end, () => {
  from = null; main.classList.remove("moving");
});
main.addEventListener("keydown", event => {
  const moves = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
  const middle = [main.clientWidth / 2, main.clientHeight / 2];
  if (moves[event.key]) { x += moves[event.key][0]; y += moves[event.key][1]; show(); }
  else if (event.key === "+") zoom(1.25, ...middle);
  else if (event.key === "-") zoom(0.8, ...middle);
  else if (event.key === "0") fit();
  else return;
  event.preventDefault();
});
function choose(id) {
  for (const box of boxes.values()) box.classList.toggle("chosen", box.dataset.id === id);
  const box = boxes.get(id);
  if (!box) return;
  scale = Math.max(scale, 0.8); show();
  const frame = main.getBoundingClientRect(), place = box.getBoundingClientRect();
  x += frame.left + main.clientWidth / 2 - place.left - place.width / 2;
  y += frame.top + main.clientHeight / 2 - place.top - place.height / 2;
  show();
}
for (const [id, item] of items) item.addEventListener("click", () => choose(id));
const search = document.querySelector("input"), count = document.querySelector("output");
search.addEventListener("input", () => {
  const words = search.value.trim().toLowerCase();
  let found = 0;
  for (const [id, item] of items) {
    const fits = words !== "" && item.textContent.toLowerCase().includes(words);
    item.classList.toggle("found", fits);
    const box = boxes.get(id);
    if (box) box.classList.toggle("dim", words !== "" && !fits);
    if (!fits) continue;
    found += 1;
    for (let up = item.closest("details"); up; up = up.parentElement.closest("details")) {
      up.open = true;
    }
  }
  count.textContent = words === "" ? "" : `${found} of ${items.size}`;
});
search.addEventListener("keydown", event => {
  const first = document.querySelector("nav .found");
  if (event.key !== "Enter" || !first) return;
  first.scrollIntoView({block: "center"}); choose(first.dataset.id);
});
window.addEventListener("resize", fit);
fit();
"""


def render_graph_page(graph: DrawnGraph) -> str:
    """Render a page; the same graph gives the same bytes."""
    title = escaped(one_line(graph.title)) or "Drawing"
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    style = _STYLE.replace("FONT", FONT) + _colours(LIGHT)
    style += "@media (prefers-color-scheme:dark){" + _colours(DARK) + "}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{style}</style></head>",
            f"<body><header><h1>{title}</h1>",
            '<input type="search" placeholder="Search" aria-label="Search nodes">',
            "<output></output></header>",
            f'<nav aria-label="Outline">{_outline(graph)}</nav>',
            '<main tabindex="0" aria-label="Drawing: arrows move, + and - zoom, 0 fits">',
            f"{render_svg(graph)}</main>",
            f"<script>{_SCRIPT}</script></body></html>",
            "",
        ]
    )


def _outline(graph: DrawnGraph) -> str:
    """The vertices as nested lists that fold; those of a dag in one list."""
    if graph.shape == "dag":
        return "<ul>" + "".join(f"<li>{_item(one)}</li>" for one in graph.vertices) + "</ul>"
    parts: list[str] = []
    ends: list[str] = []
    for id, depth in graph.walk():
        while len(ends) > depth:
            parts.append(ends.pop())
        if graph.out_edges[id]:
            parts.append(f"<ul><li><details open><summary>{_item(graph.by_id[id])}</summary>")
            ends.append("</details></li></ul>")
        else:
            parts.append(f"<ul><li>{_item(graph.by_id[id])}</li></ul>")
            ends.append("")
    return "".join([*parts, *reversed(ends)])


def _item(vertex: Vertex) -> str:
    words = [drawing_of(vertex.kind).symbol, one_line(vertex.label) or kind_label(vertex.kind)]
    text = escaped(" ".join(word for word in words if word))
    tip = escape(clean(f"{kind_label(vertex.kind)} {vertex.detail}".strip()))
    id = escape(clean(vertex.id)).replace("\n", "&#10;")
    return f'<button type="button" data-id="{id}" title="{tip}">{text}</button>'


def _colours(palette: Palette) -> str:
    return (
        f"body,input{{background:{palette.ground};color:{palette.text}}}"
        f"header,nav{{border-color:{palette.edge}}}output{{color:{palette.quiet}}}"
    )
