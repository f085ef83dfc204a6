"""Properties that cannot be proved, by the whole message."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import golden
from treec_prove.properties import parse_property

TOLD: dict[str, Callable[[], object]] = {
    (
        "TreecError: the property 'seen == 2': write 'never: CONDITION', 'always: CO"
        "NDITION', 'eventually: CONDITION', 'CONDITION leads to CONDITION', 'CONDITI"
        "ON until CONDITION' or 'rules are never refused'"
    ): lambda: parse_property("seen == 2"),
    (
        "TreecError: the property 'always: seen ==': in 'seen ==': the text ends too"
        " early: something is missing after this"
    ): lambda: parse_property("always: seen =="),
    (
        "TreecError: the property 'a == 1 leads to b == == 2': in 'b == == 2': unexpected '=='"
    ): lambda: parse_property("a == 1 leads to b == == 2"),
}


def test_words_of_a_text_do_not_divide_a_property() -> None:
    found = parse_property("said('not until noon') leads to heard('it leads to noon')")
    assert found.first == "said('not until noon')"
    assert (found.word, found.then) == ("leads to", "heard('it leads to noon')")


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
