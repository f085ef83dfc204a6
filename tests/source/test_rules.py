import pytest

from treec.source import rules, yaml_rules
from treec.source.text import Span


@pytest.fixture
def empty(monkeypatch):
    monkeypatch.setattr(rules, "_rules", {})


def test_every_rule_of_reading_says_what_is_wrong_and_what_is_right():
    found = [rule for rule in rules.all_rules() if rule.code < "TC012"]
    assert [rule.code for rule in found] == [f"TC{n:03}" for n in range(1, 12)]
    for rule in found:
        assert "\nWrong:" in rule.about
        assert "\nRight:" in rule.about


def test_a_rule_is_found_in_any_case_and_explained():
    rule = rules.find_rule("tc004")
    assert rule is yaml_rules.DUPLICATE_KEY
    assert rules.explain(rule).startswith(
        "TC004 (error): Duplicate key in a mapping\n\nYAML readers"
    )
    assert rules.find_rule("TC0") is None


@pytest.mark.usefixtures("empty")
def test_a_docstring_makes_a_rule():
    rule = rules.rule_from_docstring(
        "TC900", "A title.\n\n    What is wrong.\n\n        code\n", "warning"
    )
    assert (rule.title, rule.about) == ("A title", "What is wrong.\n\n    code")
    span = Span("a", 1, 1, 1, 2)
    assert rule.at(span, "m", "h").severity == "warning"
    assert rules.all_rules() == (rule,)


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("doc", [None, "", "Only a title."])
def test_a_docstring_without_text_is_refused(doc):
    with pytest.raises(ValueError, match="TC900 has no title and text"):
        rules.rule_from_docstring("TC900", doc)


@pytest.mark.usefixtures("empty")
def test_a_code_means_one_rule():
    first = rules.register("TC900", "one", "about")
    assert rules.register("TC900", "one", "about") == first
    with pytest.raises(ValueError, match="TC900 is already the rule 'one'"):
        rules.register("TC900", "two", "about")
    with pytest.raises(ValueError, match="TC and three digits"):
        rules.register("T9", "one", "about")
