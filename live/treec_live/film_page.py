"""Films and pictures as self-contained HTML with embedded images."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from html import escape

Frame = tuple[float, bytes]
"""A time in seconds of the run, and a picture as a WebP file."""

SPEEDS = (1, 4, 16)
"""Simulated seconds per real second."""

_PLAYER = """
(() => {
  const film = document.currentScript.parentElement, frames = %(frames)s, times = %(times)s;
  const [picture, slider, clock] = ["img", "input", "output"].map(n => film.querySelector(n));
  let at = 0, from = 0, began = 0, speed = 0;
  const show = i => {
    at = i; slider.value = i; picture.src = "data:image/webp;base64," + frames[i];
    clock.value = times[i].toFixed(1) + " s";
  };
  const step = now => {
    if (!speed) return;
    const t = from + (now - began) / 1000 * speed;
    let i = at;
    while (i + 1 < times.length && times[i + 1] <= t) i += 1;
    if (i !== at) show(i);
    if (i + 1 < times.length) requestAnimationFrame(step); else speed = 0;
  };
  slider.oninput = () => { speed = 0; show(Number(slider.value)); };
  film.querySelectorAll("button").forEach(button => button.onclick = () => {
    speed = Number(button.value);
    if (speed && at + 1 === times.length) show(0);
    from = times[at]; began = performance.now(); requestAnimationFrame(step);
  });
})();
"""


def render_film(frames: Sequence[Frame], label: str) -> str:
    """Render a player with a slider and buttons; without scripts it shows the first picture."""
    times = json.dumps([round(t, 3) for t, _ in frames])
    data = json.dumps([_base64(picture) for _, picture in frames])
    script = _PLAYER % {"frames": data, "times": times}
    buttons = "".join(
        f'<button type="button" value="{speed}">{word}</button>'
        for speed, word in ((0, "stop"), *((speed, f"{speed} ×") for speed in SPEEDS))
    )
    return (
        f'<figure class="film">{_image(frames[0][1], label)}'
        f'<figcaption><input type="range" min="0" max="{len(frames) - 1}" value="0" '
        f'aria-label="moment"><output>{frames[0][0]:.1f} s</output>{buttons}'
        f"<span>{escape(label)}</span></figcaption><script>{script}</script></figure>"
    )


def render_shots(shots: Sequence[tuple[str, Sequence[tuple[str, bytes]]]]) -> str:
    """Render rows of pictures, each with a title and captions."""
    rows = []
    for about, pictures in shots:
        figures = "".join(
            f"<figure>{_image(picture, caption)}<figcaption>{escape(caption)}</figcaption></figure>"
            for caption, picture in pictures
        )
        rows.append(f'<div class="shots"><p>{escape(about)}</p>{figures}</div>')
    return "".join(rows)


def style() -> str:
    """The CSS for films and pictures."""
    return (
        "figure{margin:0}.film img{width:100%;max-width:640px}"
        ".film figcaption{display:flex;gap:10px;align-items:center;flex-wrap:wrap}"
        ".film input{flex:1;max-width:360px}.film output{min-width:56px}"
        ".shots{display:flex;gap:16px;flex-wrap:wrap;align-items:center;margin-bottom:12px}"
        ".shots p{width:220px;margin:0}.shots img{width:240px}figcaption{font-size:13px}"
    )


def _image(picture: bytes, alt: str) -> str:
    text = escape(alt, quote=True)
    return f'<img src="data:image/webp;base64,{_base64(picture)}" alt="{text}">'


def _base64(picture: bytes) -> str:
    return b64encode(picture).decode("ascii")
