"""Corrections without a verb are of the work that the speaker has just spoken of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hearing.moments import DOMAINS, everyday, everyday_and_network, moment
from treec.team.language import shipped_language, talk_agent
from treec.team.talk import TalkContext, TalkObject, TalkSubtask, TalkTask
from treec_hearing.ear import Ear

EARS = {"templates": everyday, "network": everyday_and_network}
WORDINGS = (
    "sorry, I meant the {thing}",
    "no wait, I meant the {thing}",
    "oops, not the {second}, the {thing}",
    "the {thing}, I mean",
    "no, the {thing} I meant",
    "make that the {thing}",
    "actually, the {thing}",
    "the {thing}, not the {second}",
    "the {thing} instead",
)


@pytest.fixture(params=EARS)
def ear(request: pytest.FixtureRequest) -> Ear:
    return EARS[request.param]()


def ordered(domain: str, *, asked: bool = False) -> TalkContext:
    """The robot is at the second thing, of which the user has just spoken."""
    robot, _, _, other, second = DOMAINS[domain]
    here = moment(domain, proposals=False)
    first, work, _ = here.subtasks
    said = f"{robot}, {other} the {second}, please"
    return replace(here, subtasks=(first, replace(work, asked=asked)), before=(said,))


@pytest.mark.parametrize("words", WORDINGS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_correction_is_the_last_order_with_another_thing(
    ear: Ear, domain: str, words: str
) -> None:
    robot, _, thing, other, second = DOMAINS[domain]
    acts = ear(words.format(thing=thing, second=second), ordered(domain))
    orders = [(a["agent"], a["task"], a["args"]) for a in acts if a["kind"] == "request"]
    assert orders == [(robot, other, {"item": thing})]
    assert [a["subtasks"] for a in acts if a["kind"] == "release"] == [["s2"]]
    assert len(acts) == 2


def with_another(domain: str, *more: str) -> tuple[TalkContext, str]:
    """The same with a second robot, which is at nothing, and things like these."""
    here = ordered(domain, asked=True)
    here = replace(here, agents=(*here.agents, talk_agent(shipped_language(), "Helper")))
    things = (TalkObject(name, (), ("Item",)) for name in more)
    return replace(here, objects=(*here.objects, *things)), "Helper"


@pytest.mark.parametrize(
    "words",
    [
        "no, {other}",
        "I meant {other}",
        "no wait, {other} should do it",
        "{other}, not {robot}",
        "not {robot}, {other}",
        "let {other} do it",
        "{other} instead",
        "sorry, the other robot",
        "no, the other one",
        "no, I'll do it",
    ],
)
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_last_order_is_somebody_elses_by_his_name(ear: Ear, domain: str, words: str) -> None:
    here, other = with_another(domain)
    robot, _, _, task, second = DOMAINS[domain]
    acts = ear(words.format(robot=robot, other=other), here)
    (order,) = (act for act in acts if act["kind"] == "request")
    assert order["agent"] == ("user" if "I'll" in words else other)
    assert (order["task"], order["args"]) == (task, {"item": second})
    assert [a["subtasks"] for a in acts if a["kind"] == "release"] == [["s2"]]
    assert len(acts) == 2


@pytest.mark.parametrize(
    ("words", "agent", "task", "thing"),
    [
        ("I meant Helper water the roses", "Helper", "water", "roses"),
        ("no, Helper should water the roses", "Helper", "water", "roses"),
        ("no, Helper, the roses", "Helper", "mow", "roses"),
        ("no wait, mow the roses", "Rover", "mow", "roses"),
        ("no, water it", None, "water", "lawn"),
        ("I meant water", None, "water", "lawn"),
        ("Helper, mow the roses instead", "Helper", "mow", "roses"),
        ("I meant the other lawn", "Rover", "mow", "front lawn"),
    ],
)
def test_a_correction_may_change_verb_robot_and_thing(
    ear: Ear, words: str, agent: str | None, task: str, thing: str
) -> None:
    here, _ = with_another("garden", "front lawn")
    acts = ear(words, here)
    orders = [(a["agent"], a["task"], a["args"]) for a in acts if a["kind"] == "request"]
    assert orders == [(agent, task, {"item": thing})]
    assert [a["subtasks"] for a in acts if a["kind"] == "drop"] == [["s2"]]
    assert len(acts) == 2


def test_not_who_has_it_leaves_the_last_order_to_somebody(ear: Ear) -> None:
    acts = ear("no, not Rover", with_another("garden")[0])
    assert [(act["kind"], act.get("subtasks")) for act in acts] == [("release", ["s2"])]


def test_a_no_to_who_is_at_work_or_may_be_anybody_corrects_nothing(ear: Ear) -> None:
    here, _ = with_another("garden")
    busy = TalkSubtask("s4", "water roses", "running", "Helper")
    two, _ = with_another("garden", "front lawn", "back lawn")
    none = replace(here, before=(), subtasks=())
    proposed = replace(here, proposals=moment("garden").proposals)
    for words, moment_ in (
        ("no, Helper", replace(here, subtasks=(*here.subtasks, busy))),
        ("no, the other one", two),
        ("no, Helper should do it", none),
        ("I meant Helper", none),
        ("actually, Helper", proposed),
    ):
        acts = ear(words, moment_)
        assert not [act for act in acts if act["kind"] in ("request", "release", "drop")], words


def test_what_was_only_asked_for_is_dropped_by_its_correction(ear: Ear) -> None:
    acts = ear("sorry, I meant the roses", ordered("garden", asked=True))
    assert {a["kind"] for a in acts} == {"request", "drop"}


@pytest.mark.parametrize("words", ["I never meant the roses", "Is that the one I meant?", "roses"])
def test_words_that_correct_nothing_order_nothing(ear: Ear, words: str) -> None:
    acts = ear(words, ordered("garden"))
    assert not [act for act in acts if act["kind"] in ("release", "drop")]


def test_a_wish_is_no_task_that_needs_more_words(ear: Ear) -> None:
    """'Bring water to a boil' begins with a wish's verb, and 'let it cool' with anybody's."""
    here = moment("ward", proposals=False)
    boil = TalkTask("boil", ("boil <item>", "bring <item> to a boil"), {"item": "Item"})
    cool = TalkTask("cool", ("cool <item>", "let <item> cool", "let <item> rest"), {"item": "Item"})
    fill = TalkTask("fill", ("fill <base> with <item>", "spoon <item> into <base>"), {})
    spoon = TalkObject("spoon", (), ("Item",))
    more = replace(here, tasks=(*here.tasks, boil, cool, fill), objects=(*here.objects, spoon))
    for words in (
        "I need the blanket",
        "a spoon, please",
        "let me bring the blanket, you can rest",
    ):
        acts = ear(words, more)
        assert not [act for act in acts if act.get("task") in ("boil", "cool", "fill")], acts
    (act,) = ear("let the blanket cool", more)
    assert act["task"] == "cool"


def test_a_word_of_work_that_no_task_knows_is_no_other_name_mistyped() -> None:
    here = moment("kitchen", proposals=False)
    work = TalkSubtask("s9", "get sesame paste", "running", "user")
    here = replace(here, subtasks=(*here.subtasks, work), recipes=("Pasta", "Pancakes"))
    acts = everyday_and_network()("OK, I got sesame paste.", here)
    assert "choose" not in [act["kind"] for act in acts]


@pytest.mark.parametrize(
    "said",
    [
        "where is the lawn?",
        "did you mow the lawn?",
        "do not mow the daisies",
        "skip the daisies",
        "mow the lawn and water the roses",
    ],
)
def test_a_question_a_refusal_or_one_of_several_orders_is_corrected_to_no_order(said: str) -> None:
    here = replace(ordered("garden"), before=(said,))
    more = (TalkObject(name, (), ("Item",)) for name in ("tulips", "daisies"))
    both = TalkSubtask("s1", "water roses", "queued", "Rover")
    here = replace(here, objects=(*here.objects, *more), subtasks=(both, *here.subtasks[1:]))
    for ear in (everyday(), everyday_and_network()):
        acts = ear("sorry, I meant the tulips", here)
        assert {act["kind"] for act in acts} == {"remark"}


def test_of_several_orders_that_one_is_corrected_whose_thing_is_named() -> None:
    here = moment("garden", proposals=False)
    both = TalkSubtask("s1", "water roses", "queued", "Rover")
    tulips = TalkObject("tulips", (), ("Item",))
    here = replace(
        here,
        objects=(*here.objects, tulips),
        subtasks=(both, here.subtasks[1]),
        before=("sorry, I meant the tulips", "Rover, mow the lawn and water the roses"),
    )
    acts = everyday_and_network()("no, not the roses, the tulips", here)
    (order,) = (act for act in acts if act["kind"] == "request")
    assert (order["task"], order["args"]) == ("water", {"item": "tulips"})
    assert [act["subtasks"] for act in acts if act["kind"] == "release"] == [["s1"]]


def test_a_correction_chooses_no_dish_that_only_begins_alike() -> None:
    here = moment("kitchen", proposals=False)
    here = replace(
        here, recipes=("Milkshake",), objects=(*here.objects, TalkObject("milk", (), ("Item",)))
    )
    acts = everyday_and_network()("sorry, I meant the milk", replace(here, subtasks=()))
    assert [act["kind"] for act in acts] == ["remark"]


def test_a_number_corrects_the_thing_that_has_it() -> None:
    here = ordered("warehouse")
    label = replace(here.objects[1], types=("Item",))
    here = replace(here, objects=(here.objects[0], label))
    acts = everyday()("sorry, I meant 17", here)
    assert [act["args"] for act in acts if act["kind"] == "request"] == [{"item": "crate 17"}]


@pytest.mark.few(40, thorough=1000)
@pytest.mark.parametrize(
    ("words", "verb", "thing"),
    [
        ("{robot}, {verb} the {old}, no, the {new}", "other", "new"),
        ("{robot}, could you {verb} the {old} — sorry, the {new}", "other", "new"),
        ("{robot} {verb} the {old} no wait the {new} please", "other", "new"),
        ("{robot}, {first}, I mean {verb}, the {old}", "other", "old"),
        ("{robot}, {first} the {old}, no, {verb} it", "other", "old"),
        ("Helper, {verb} the {old}, no, {robot}", "other", "old"),
        ("{robot}, {verb} the {old}, no, the {new}, no, the {old}", "other", "old"),
        ("{robot}, {verb} the {old}, not the {new}", "other", "old"),
        ("{robot}, {first} the {new}, no {old}", "first", "new"),
        ("Helper, er, {robot}, {verb} the {old}", "other", "old"),
        ("{robot}, {first}, uh, {verb} the {old}", "other", "old"),
        ("{robot}, don't {verb} the {old}, sorry, the {new}", "", ""),
        ("{robot}, {first} or {verb} the {old}", "", ""),
    ],
)
@pytest.mark.parametrize("domain", DOMAINS)
def test_an_order_may_be_corrected_in_the_same_breath(
    ear: Ear, domain: str, words: str, verb: str, thing: str
) -> None:
    robot, first, new, other, old = DOMAINS[domain]
    here = replace(with_another(domain)[0], subtasks=(), before=())
    said = words.format(robot=robot, first=first, new=new, verb=other, old=old)
    orders = [act for act in ear(said, here) if act["kind"] == "request"]
    task = {"first": first, "other": other}.get(verb)
    args = {"item": new if thing == "new" else old}
    assert [(a["agent"], a["task"], a["args"]) for a in orders] == (
        [(robot, task, args)] if task else []
    )


@pytest.mark.parametrize(
    ("words", "things"),
    [
        ("{0} the {a} and the {b}, no, the {c}", "ac"),
        ("{0} the {a} and the {b}, er, the {c}", "ac"),
        ("{0} the {a} and the {b}, no, not the {a}, the {c}", "cb"),
        ("{0} the {a} and the {b}? Sorry, the {c}, not the {b}.", "ac"),
        ("{0} the {a} and the {b}, I mean the {b} and the {c}", "bc"),
        ("{0} the {a}, scratch that, the {c}, and the {b}", "cb"),
        ("{0} the {a}, um, no wait, uh, the {c}", "c"),
        ("{0} the {a}, the {c} actually", "c"),
        ("{0} the {a}, er, the {b} and the {c}", "abc"),
        ("{0} the {a}, er, and the {c}", "ac"),
        ("{0} the {a} and the {b}, no, forget it", ""),
        ("{0} the {a}, actually, scratch that", ""),
        ("{0} the {a} and the {b}, never mind, the {c}", "ac"),
        ("{0} the {a} and the {b}. Never mind the {c}.", "ab"),
        ("{0} the {a}. Scratch that. Helper, {0} the {b}.", "b"),
        ("{0} two {b}s, no, three", "b"),
        ("{0} three {b}s. Make that four {b}s, please.", "b"),
        ("{0} 2 litres of {c}, sorry, 3", "c"),
        ("{0} two {b}s, no, the {c}", "c"),
        ("{0} crate 12, no, 13", ""),
        ("{0} the {b}, no, two", "b"),
        ("don't {0} the {a}, {0} the {b}", "b"),
        ("please don't {0} the {a}, but {0} the {b} and the {c}", "bc"),
        ("Helper, don't {0} the {a}, {0} the {b}", "b"),
        ("{0} the {b}, don't {0} the {a}", "b"),
        ("don't {0} the {b}, {0} the {b}", ""),
        ("don't {0} the {a}, {0} the {b}, {0} the {c}", ""),
        ("don't {0} the {a}, {0} the {b} or the {c}", ""),
        ("if you don't {0} the {a}, {0} the {b}", ""),
        ("I said don't {0} the {a}, {0} the {b}", ""),
        ("{0} the {b}, nope", ""),
        ("{0} the {b}. Hang on, no no.", ""),
        ("{0} the {b}, no?", ""),
        ("{0} the {a}. Let me see. The {c} too", "ac"),
        ("{0} the {a}, sorry, also the {c}", "ac"),
        ("{0} the {a}. Hmm. The {c}.", "ac"),
        ("{0} the {a}... er... the {c}", "c"),
        ("well, let me see, {0} the {b}", "b"),
        ("{0} the {a} and the {b}, no {b}", "a"),
        ("{0} the {a} and the {b}, not the {b}", "a"),
        ("{0} crate 12 and the {b}, no crate 12", "b"),
    ],
)
def test_of_several_things_in_a_breath_the_right_one_is_replaced(words: str, things: str) -> None:
    _, verb, *_ = DOMAINS["ward"]
    here = replace(with_another("ward")[0], proposals=(), subtasks=(), before=())
    names = {"a": "blue lamp", "b": "rake", "c": "kettle"}
    known = (*names.values(), "crate 12")
    here = replace(here, objects=tuple(TalkObject(one, (), ("Item",)) for one in known))
    acts = everyday()(words.format(verb, **names), here)
    orders = [act["args"]["item"] for act in acts if act["kind"] == "request"]
    assert orders == [names[one] for one in things]
