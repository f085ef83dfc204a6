import pytest

from tests.render.pictures import NASTY
from treec.render.measure import cells, clean, clusters, fit, one_line, pixels, wrap


def test_control_characters_become_visible_and_line_ends_newlines() -> None:
    assert clean("a\r\nb\rc\u2028d\x1b[1m\x00\ud800\u202e\te") == "a\nb\nc\nd�[1m��� e"
    assert one_line(" a\n  b\t") == "a b"


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("准备", 4), ("e\u0301", 1), ("🥗", 2), ("", 0), ("→", 1)]
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_wide_text_takes_more_pixels() -> None:
    assert pixels("iii", 10) < pixels("nnn", 10) < pixels("WWW", 10)
    assert pixels("准备", 10) == 20
    assert pixels("🥗", 10) > 10


def test_clusters_keep_what_a_reader_sees_as_one() -> None:
    assert clusters("e\u0301a👩\u200d🍳🇫🇷🇩🇪") == ["e\u0301", "a", "👩\u200d🍳", "🇫🇷", "🇩🇪"]


def test_fit_marks_what_is_missing_and_never_halves_a_wide_character() -> None:
    assert fit("lettuce", 7) == "lettuce"
    assert fit("lettuce", 4) == "let…"
    assert fit("准备生菜", 6) == "准备…"
    assert fit("x", 0) == ""


def test_wrap_breaks_at_spaces_then_at_joints_of_names() -> None:
    assert wrap("pour ranch sauce into bowl", 12, cells) == ["pour ranch", "sauce into", "bowl"]
    assert wrap("wait_until_queue_is_full", 12, cells) == ["wait_until_", "queue_is_", "full"]
    assert wrap("a\nb", 12, cells) == ["a", "b"]
    assert wrap("", 12, cells) == [""]


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("width", [3, 8, 28])
def test_wrap_loses_nothing_and_keeps_to_the_width(text: str, width: int) -> None:
    lines = wrap(text, width, cells)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())
    assert all(cells(line) <= width or len(clusters(line)) == 1 for line in lines)
