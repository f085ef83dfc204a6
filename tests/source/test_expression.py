"""Expressions: what they mean, what they use, and where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from tests.support.extensions import using
from treec.extensions import Extension, Filter
from treec.source.expression import (
    EvaluationError,
    Expression,
    FreeName,
    MappingScope,
    SourceError,
    UndefinedName,
    expose,
)


@dataclass(frozen=True)
class Robot:
    treec_fields: ClassVar[tuple[str, ...]] = ("name", "status")
    name: str
    status: str = "Idle"
    secret: str = "s"

    @property
    def __treec_name__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


class Acts(Sequence[object]):
    """A list of acts that joins a field over them, as engine/team has it."""

    treec_joins = True
    treec_fields = ("proposals",)

    def __init__(self, *acts: dict[str, list[str]]) -> None:
        self._acts = acts

    def __len__(self) -> int:
        return len(self._acts)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._acts[index]

    def __iter__(self) -> Iterator[object]:
        return iter(self._acts)

    def __treec_get__(self, name: str) -> object:
        if name != "proposals":
            raise KeyError(name)
        return [proposal for act in self._acts for proposal in act["proposals"]]


def seven(x: object) -> object:
    return 7


R1, R2 = Robot("R1"), Robot("R2", "Running")
SCOPE = MappingScope(
    {
        "agents": [R1, R2],
        "agent": R2,
        "acts": {
            "accept": Acts({"proposals": ["p1"]}, {"proposals": ["p2", "p3"]}),
            "stop": Acts(),
        },
        "available": ["get lettuce", "mix"],
        "nothing": None,
        "count": 3,
        "ages": {"R2": 4, "R1": 9},
        "a": "x",
    },
    {
        "queue": lambda agent, first=False: [str(agent), first],
        "status": lambda agent: agent.status,
        "broken": lambda: {"a": 1}["gone"],
        "at": lambda item: f"at {item}",
    },
    specials={"age": lambda fact, args: (fact, args)},
)


def value(text: str, scope: MappingScope = SCOPE) -> object:
    return Expression.parse(text).evaluate(scope)


def refused(text: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        Expression.parse(text)
    return caught.value


def fails(text: str, scope: MappingScope = SCOPE) -> EvaluationError:
    with pytest.raises(EvaluationError) as caught:
        value(text, scope)
    return caught.value


def under(text: str, error: SourceError | EvaluationError) -> str:
    return text[error.offset : error.offset + error.length]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("7 // 2", 3),
        ("7 / 2", 3.5),
        ("7 % 4", 3),
        ("-count", -3),
        ("not count", False),
        ("[1] + [2]", [1, 2]),
        ("'a' + 'b'", "ab"),
        ("'a' ~ 1 ~ none ~ true", "a1true"),
        ("1 < count <= 3", True),
        ("1 < count < 3", False),
        ("'mix' in available", True),
        ("'mix' not in available", False),
        ("'lettuce' in available[0]", True),
        ("available[-1]", "mix"),
        ("available[:1]", ["get lettuce"]),
        ("'abc'[1:]", "bc"),
        ("{'a': 1}.a", 1),
        ("{'a': 1}['a']", 1),
        ("(1, 2)", (1, 2)),
        ("'yes' if count > 2 else 'no'", "yes"),
        ("'yes' if count > 5", None),
        ("nothing or 'none'", "none"),
        ("acts.stop or available", ["get lettuce", "mix"]),
        ("None == 'none'", False),
        ("range(2, 6, 2)", [2, 4]),
        ("count is odd and count is number", True),
        ("available is sequence and a is text", True),
        ("count is in [1, 3]", True),
        ("count is not none", True),
    ],
)
def test_value(text: str, expected: object) -> None:
    assert value(text) == expected


def test_an_entity_equals_its_name() -> None:
    assert value("agent == 'R2'") is True
    assert value("'R2' == agent") is True
    assert value("agent != 'R1'") is True
    assert value("'R1' in agents") is True
    assert value("agent in ['R2']") is True
    assert value("'R3' in agents") is False
    assert value("agent in ages") is True
    assert value("ages[agent]") == 4
    assert value("by.R2 + by['R2']", MappingScope({"by": {R2: 1}})) == 2
    assert value("[agent, 1] == ['R2', 1]") is True
    assert value("agent ~ ''") == "R2"


def test_a_field_of_acts_is_joined_over_them() -> None:
    assert value("acts.accept.proposals") == ["p1", "p2", "p3"]
    assert value("acts.accept | length") == 2
    assert value("'p2' in acts.accept.proposals") is True
    error = fails("acts.accept.proposal")
    assert (error.offset, error.length) == (12, 8)
    assert error.help == "did you mean 'proposals'?"


def test_only_exposed_fields_can_be_read() -> None:
    assert value("agent.status") == "Running"
    for text in ("agent.secret", "a.upper", "available.append", "count.real", "acts.keys"):
        assert under(text, fails(text)) == text.split(".")[1]


def test_expose_lets_fields_of_a_dataclass_be_read() -> None:
    @dataclass
    class Pose:
        x: float
        y: float

    expose(Pose)
    assert value("pose.x", MappingScope({"pose": Pose(1.0, 2.0)})) == 1.0


def test_functions_are_found_through_the_scope() -> None:
    assert value("queue(agent)") == ["R2", False]
    assert value("queue(agent, first=true)") == ["R2", True]
    assert value("status(agents[0])") == "Idle"


def test_a_special_form_gets_the_inner_call_unevaluated() -> None:
    assert value("age(at(agent))") == ("at", (R2,))
    assert value("at(agent)") == "at R2"
    error = fails("age(agent)")
    assert (error.offset, error.length) == (0, 3)


def test_a_child_scope_hides_names() -> None:
    child = SCOPE.child({"count": 4})
    assert value("count", child) == 4
    assert value("queue(agent)", child) == ["R2", False]
    assert value("count") == 3


def test_what_runs_not_is_not_evaluated() -> None:
    assert value("count or unknown") == 3
    assert value("not count and unknown") is False
    assert value("1 if count else unknown") == 1


def test_defined_asks_without_failing() -> None:
    assert value("unknown is defined") is False
    assert value("agent.colour is defined") is False
    assert value("ages.R3 is not defined") is True
    assert value("agent.status is defined") is True


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("count + unknown", "unknown", "unknown name 'unknown'"),
        ("count + quue(agent)", "quue", "unknown name 'quue'"),
        ("1 + (count / 0)", "count", "division by zero"),
        ("available[7]", "7", "index 7 is out of range: a list of length 2"),
        ("ages.R3", "R3", "unknown key 'R3'"),
        ("1 + a", "1", "a number and a text cannot be added"),
        ("1 < a", "1", "a number and a text cannot be ordered"),
        ("broken()", "broken", "'broken' cannot answer: 'gone'"),
        ("count | join", "join", "a number is not a list"),
        ("a | int", "int", "a text cannot be read as a number"),
        ("queue()", "queue", None),
        ("a * 3", "a", "'*' takes numbers, not a text, a number"),
        ("a % 3", "a", "'%' takes numbers, not a text, a number"),
        ("[1] * 3", "[", "'*' takes numbers, not a list, a number"),
        ("9e307 * 100", "9e307", "the result is too large for a number"),
        (
            "999999999999999 * 999999999999999",
            "999999999999999",
            "the result is too large: whole numbers have 64 bits",
        ),
    ],
)
def test_evaluation_fails_at_the_place_in_the_text(
    text: str, where: str, message: str | None
) -> None:
    error = fails(text)
    assert under(text, error) == where
    assert error.offset == text.index(where)
    assert message is None or error.message == message


def test_a_misspelt_name_gets_the_nearest_one() -> None:
    assert fails("quue(agent)").help == "did you mean 'queue'?"
    assert fails("agnets").help == "did you mean 'agents'?"
    assert fails("agnets", SCOPE.child({"p": 1})).help == "did you mean 'agents'?"


def test_an_error_of_another_expression_points_at_the_name_that_led_there() -> None:
    class Derived:
        def lookup(self, name: str) -> object:
            if name == "derived":
                return Expression.parse("count + gone").evaluate(SCOPE)
            raise UndefinedName(name)

    error = fails("1 if derived else 2", Derived())  # type: ignore[arg-type]
    assert (error.offset, error.length) == (5, 7)
    assert error.message == "unknown name 'gone'"


@pytest.mark.parametrize(
    ("text", "offset", "length", "message"),
    [
        ("", 0, 1, "the text ends too early: something is missing after this"),
        ("count +", 6, 1, "the text ends too early: something is missing after this"),
        ("get lettuce", 4, 7, "unexpected 'lettuce' after the expression"),
        ("a = 1", 2, 1, "unexpected '=' after the expression"),
        ("f(a", 1, 1, "this '(' is never closed"),
        ("f(a]", 3, 1, "unexpected ']', expected ')'"),
        ("a == 'x", 5, 2, "this quote is never closed"),
        ("a && b", 2, 1, "unexpected '&'"),
        ("{{ a }}", 0, 2, "an expression is written without '{{ }}' and '{% %}'"),
        ("a }}", 2, 2, "an expression is written without '{{ }}' and '{% %}'"),
        ("a.b()", 2, 1, "only functions are called, by their plain name"),
        ("a | nosuch", 4, 6, "unknown filter 'nosuch'"),
        ("a is nosuch", 5, 6, "unknown test 'nosuch'"),
        ("a is not nosuch", 9, 6, "unknown test 'nosuch'"),
        ("a | select('nosuch')", 4, 6, "unknown test 'nosuch'"),
        ("a | map('nosuch')", 4, 3, "unknown filter 'nosuch'"),
        ("a | selectattr('x', b)", 4, 10, "'selectattr' takes the name of a test in quotes"),
        ("a | join(1, 2, 3)", 4, 4, "'join' takes at most 2 arguments, not 3"),
        ("a | join(sep=1)", 4, 4, "unknown argument 'sep' of 'join'"),
        ("a | replace('x')", 4, 7, "'replace' needs its argument 'new'"),
        ("a | upper(1)", 4, 5, "'upper' takes no arguments, not 1"),
        ("f(*a)", 0, 1, "arguments are written out: '*' and '**' cannot be used"),
        ("f(x=1, x=2)", 0, 1, "'f' gets its argument 'x' twice"),
        ("a.__class__", 2, 9, "a field cannot begin with '_'"),
        ("_a", 0, 2, "a name cannot begin with '_'"),
        ("a or is", 5, 2, "'is' cannot be a name, and something is missing beside it"),
        ("a[1:, 2]", 2, 1, "only one slice can be taken at a time"),
        ("2 ** 3", 2, 2, "'**' cannot be used here"),
        ("namespace(a=1)", 0, 9, "'namespace' cannot be used here"),
    ],
)
def test_a_wrong_text_is_refused_where_it_is_wrong(
    text: str, offset: int, length: int, message: str
) -> None:
    error = refused(text)
    assert (error.message, error.offset, error.length) == (message, offset, length)


def test_a_refusal_says_what_would_be_right() -> None:
    assert refused("a = 1").help == "write '==' to compare"
    assert refused("a && b").help == "write 'and'"
    assert refused("get lettuce").help == "write a name with spaces in quotes: 'get lettuce'"
    assert refused("a | joine").help == "did you mean 'join'?"
    assert refused("f(a = 1) == b = 2").help == "write '==' to compare"


def test_names_are_known_on_every_branch() -> None:
    parsed = Expression.parse("queue(agent, first=x).len if acts.accept.proposals else b['c'].d")
    assert parsed.names == (
        FreeName("queue", 0, 5, called=True, args=1, keywords=("first",), fields=(("len", 22),)),
        FreeName("agent", 6, 5),
        FreeName("x", 19, 1),
        FreeName("acts", 29, 4, fields=(("accept", 34), ("proposals", 41))),
        FreeName("b", 56, 1),
    )


def test_calls_carry_the_trees_of_their_arguments() -> None:
    (call,) = Expression.parse("proposed('R2', task='get pepper')").calls
    assert (call.name, call.offset, call.length) == ("proposed", 0, 8)
    assert [node.value for node in call.args] == ["R2"]  # type: ignore[attr-defined]
    assert [(key, node.lineno) for key, node in call.keywords] == [("task", 20)]
    assert [c.name for c in Expression.parse("f(a) + g(h(b)) < k(c)").calls] == ["f", "g", "h", "k"]
    assert Expression.parse("proposed('R2', 'get pepper')").constants == (
        ("R2", 9, 4),
        ("get pepper", 15, 12),
    )


def test_builtin_functions_are_not_free_names() -> None:
    assert Expression.parse("range(3)").names == ()


def test_an_expression_without_names_is_constant() -> None:
    assert Expression.parse("false").is_constant
    assert Expression.parse("1 + 1 == 3").constant_value() is False
    assert not Expression.parse("acts.stop or false").is_constant
    assert not Expression.parse("now()").is_constant


def longer(text: str, limit: int) -> bool:
    return len(text) > limit


def test_filters_and_tests_of_extensions_are_used_like_builtin_ones() -> None:
    scope = MappingScope({"xs": ["a", "bcd"]})
    text = "'abcd' is longer(2) and xs | seven == 7"
    added = Extension(
        "x", filters=(Filter("seven", f"{__name__}:seven"),), tests={"longer": f"{__name__}:longer"}
    )
    with using(added):
        assert value("xs | reject('longer', 2) | list", scope) == ["a"]
        assert value(text, scope) is True
        assert value("xs | map('seven')", scope) == [7, 7]
        assert not Expression.parse("'a' is longer(1)").is_constant
    with pytest.raises(SourceError, match="unknown test 'longer'"):
        Expression.parse(text)


def test_the_same_text_is_parsed_once() -> None:
    assert Expression.parse("a or count") is Expression.parse("a or count")


def test_offsets_hold_over_lines_and_beyond_ascii() -> None:
    text = "'ü' == a\n  or\n   nosuch"
    error = fails(text)
    assert under(text, error) == "nosuch"


def test_a_call_below_not_is_negated() -> None:
    text = "at(item) == 'dock' and not (clean(item) or open(door(item)))"
    calls = {c.name: (c.negated, c.plain_args) for c in Expression.parse(text).calls}
    assert calls == {
        "at": (False, ("item",)),
        "clean": (True, ("item",)),
        "open": (True, None),
        "door": (True, ("item",)),
    }
