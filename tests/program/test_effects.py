"""What a skill needs and changes is read from its expressions, with places."""

from dataclasses import dataclass

import pytest

from treec.program.effects import EffectError, conjuncts, ground, parse_effect, parse_repair
from treec.source.errors import EvaluationError, SourceError
from treec.source.expression import Expression
from treec.source.scope import MappingScope


@dataclass(frozen=True)
class Thing:
    __treec_name__: str


SCOPE = MappingScope(
    {
        "agent": Thing("R2"),
        "item": Thing("pepper"),
        "bowl": "mixing bowl",
        "three": 3,
        "things": [Thing("a")],
        "nothing": None,
    },
    {"at": lambda thing: Thing("pantry"), "pair": lambda a, b: f"{a.__treec_name__} {b}"},
)


def evaluate(text: str) -> object:
    return Expression.parse(text).evaluate(SCOPE)


@pytest.mark.parametrize(
    ("text", "fact", "args", "value", "negated", "offset"),
    [
        ("at(item) == agent", "at", ("item",), "agent", False, 0),
        ("hot(item)", "hot", ("item",), None, False, 0),
        ("not hot(item)", "hot", ("item",), None, True, 4),
        ("near(agent) == none", "near", ("agent",), "none", False, 0),
        ("near(agent) == at(item)", "near", ("agent",), "at(item)", False, 0),
        ("  raining ( )  ", "raining", (), None, False, 2),
        ("mixed('a, (b', \"c)\\\"\", [1, 2])", "mixed",
         ("'a, (b'", '"c)\\""', "[1, 2]"), None, False, 0),
        ("on(f(a, b),\n   c,) == 'x == y'", "on", ("f(a, b)", "c"), "'x == y'", False, 0),
        ("not (hot)(item)", "hot", ("item",), None, True, 5),
    ],
)  # fmt: skip
def test_an_effect_is_a_fact_and_its_value(
    text: str, fact: str, args: tuple[str, ...], value: str | None, negated: bool, offset: int
) -> None:
    spec = parse_effect(text)
    assert (spec.fact, spec.args, spec.value) == (fact, args, value)
    assert (spec.negated, spec.offset) == (negated, offset)
    parts = [*spec.call.parts, *([spec.wanted] if spec.wanted else [])]
    assert all(text.startswith(part.text, part.offset) for part in parts)


@pytest.mark.parametrize(
    ("text", "at", "help"),
    [
        ("a(x) or b(x)", (0, 12), "an effect is certain: it cannot be one of two"),
        ("a(x) and b(x)", (0, 13), "write every effect as an item of its own"),
        ("at(x) != y", (6, 2), None),
        ("at(x) in y", (6, 2), None),
        ("at(x) not in y", (6, 6), None),
        ("size(x) >= 3", (8, 2), None),
        ("a(x) == b == c", (5, 2), None),
        (" hot ", (1, 3), "write hot(…), or not hot(…)"),
        ("not at(x) == y", (0, 14), "for a fact without a value any more write == none"),
        ("'table' == at(x)", (0, 16), None),
        ("at(x=1) == z", (0, 12), None),
        ("hot(x) | list", (0, 13), None),
        ("not not hot(x)", (0, 14), None),
        ("(hot(x))", (0, 8), None),
        ("(at(x)) == y", (6, 1), None),
        ("3", (0, 1), None),
    ],
)
def test_what_is_no_effect_is_refused_at_its_place(
    text: str, at: tuple[int, int], help: str | None
) -> None:
    with pytest.raises(EffectError) as caught:
        parse_effect(text)
    assert (caught.value.offset, caught.value.length) == at
    assert caught.value.help == (help or "write fact(args) == value, fact(args) or not fact(args)")


@pytest.mark.parametrize("text", ["at(item = agent", "item.at() == agent"])
def test_what_is_no_expression_is_said_by_the_expression(text: str) -> None:
    with pytest.raises(SourceError):
        parse_effect(text)


@pytest.mark.parametrize(
    ("text", "grounded"),
    [
        ("at(item) == agent", ("at", ("pepper",), "R2")),
        ("at(item) == bowl", ("at", ("pepper",), "mixing bowl")),
        ("at(item) == 'sink'", ("at", ("pepper",), "sink")),
        ("near(agent) == at(item)", ("near", ("R2",), "pantry")),
        ("near(agent) == none", ("near", ("R2",), None)),
        ("amount(item) == three", ("amount", ("pepper",), 3)),
        ("hot(item)", ("hot", ("pepper",), True)),
        ("not hot(item)", ("hot", ("pepper",), False)),
        ("on(at(item), pair(agent, 'x'))", ("on", ("pantry", "R2 x"), True)),
    ],
)
def test_an_effect_is_grounded_in_names(text: str, grounded: tuple[object, ...]) -> None:
    assert ground(parse_effect(text), evaluate) == grounded


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("hot(three)", (4, 5)),
        ("hot( nothing )", (5, 7)),
        ("at(item) == things", (12, 6)),
    ],
)
def test_what_is_no_thing_and_no_value_is_refused(text: str, at: tuple[int, int]) -> None:
    with pytest.raises(EffectError) as caught:
        ground(parse_effect(text), evaluate)
    assert (caught.value.offset, caught.value.length) == at


def test_what_is_not_known_is_named_with_its_thing() -> None:
    def blind(text: str) -> object:
        return None if text == "at(item)" else evaluate(text)

    message = r"^at\(pepper\) is not known, so 'hot\(at\(item\)\)' has no argument$"
    with pytest.raises(EffectError, match=message):
        ground(parse_effect("not hot(at(item))"), blind)
    with pytest.raises(EffectError, match=r"^at\(mixing bowl\) is not known"):
        ground(parse_effect("hot(at(bowl))"), lambda text: None if "at" in text else evaluate(text))


def test_what_cannot_be_evaluated_stands_where_it_is_in_the_whole_effect() -> None:
    with pytest.raises(EvaluationError, match="itm") as caught:
        ground(parse_effect("near(agent) == at( itm)"), evaluate)
    assert (caught.value.offset, caught.value.length) == (19, 3)


def test_a_repair_is_a_skills_call() -> None:
    repair = parse_repair("go_to(agent, at(item))")
    assert (repair.name, repair.args, repair.offset) == ("go_to", ("agent", "at(item)"), 0)
    assert [part.offset for part in repair.parts] == [6, 13]
    assert parse_repair("put_down(agent)").args == ("agent",)


@pytest.mark.parametrize("text", ["go_to", "a(b) or c(d)", "not a(b)", "a(b) == c", "(a(b))"])
def test_what_is_no_call_is_no_repair(text: str) -> None:
    with pytest.raises(EffectError, match="a repair is a skill's call") as caught:
        parse_repair(text)
    assert (caught.value.offset, caught.value.length) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hot(item)", ["hot(item)"]),
        ("at(item) == 'salt and pepper' and hot(item)",
         ["at(item) == 'salt and pepper'", "hot(item)"]),
        ("a and (b and c)  and not d", ["a", "(b and c)", "not d"]),
        ("a and b or c", ["a and b or c"]),
        ("a if b and c else d", ["a if b and c else d"]),
        ("band(sand) and x", ["band(sand)", "x"]),
    ],
)  # fmt: skip
def test_the_parts_that_must_all_hold(text: str, parts: list[str]) -> None:
    found = conjuncts(text)
    assert [part.text for part in found] == parts
    assert all(text.startswith(part.text, part.offset) for part in found)
