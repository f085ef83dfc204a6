"""What a rule of a decision looked at, as the page shows it."""

from __future__ import annotations

from treec_serve.reasons import _call


def test_a_call_is_shown_whole_though_a_text_in_it_has_a_bracket() -> None:
    assert _call("not said('that :)', now) and done", 4) == "said('that :)', now)"
