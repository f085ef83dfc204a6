from __future__ import annotations

import re
from base64 import b64decode

from treec.render.page import PagePart, render_page
from treec_live.film_page import render_film, render_shots, style

FRAMES = [(0.0, b"first"), (0.5, b"second"), (12.25, b"third")]


def test_all_frames_lie_in_the_page() -> None:
    page = render_film(FRAMES, "ray casts")
    kept = re.search(r'frames = \["([^]]*)"\]', page)
    assert kept
    assert [b64decode(one) for one in kept[1].split('", "')] == [b"first", b"second", b"third"]
    assert "times = [0.0, 0.5, 12.25]" in page
    assert 'max="2"' in page


def test_without_scripts_the_first_picture_is_seen() -> None:
    page = render_film(FRAMES, "ray casts")
    assert page.index("Zmlyc3Q=") < page.index("<script>")
    assert 'alt="ray casts"' in page


def test_nothing_is_fetched_from_anywhere() -> None:
    page = render_film(FRAMES, "ray casts") + render_shots([("a", [("b", b"c")])])
    assert not re.search(r'(src|href)="(?!data:)', page)


def test_words_are_words() -> None:
    page = render_shots([("R1: pick(<apple>)", [('"0" s', b"x")])])
    assert "pick(&lt;apple&gt;)" in page
    assert 'alt="&quot;0&quot; s"' in page


def test_a_part_may_bring_html() -> None:
    page = render_page(
        "t", "l", [PagePart("The film", html=render_film(FRAMES, "ray casts"), style=style())]
    )
    assert '<h2>The film</h2>\n<figure class="film">' in page
    assert ".film img{" in page
