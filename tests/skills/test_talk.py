"""What the deterministic parser makes of a cook's words."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from treec.skills.kitchen.hearing.words import word_set
from treec.skills.kitchen.talk import read
from treec.team.talk import (
    TalkAgent,
    TalkContext,
    TalkObject,
    TalkProposal,
    TalkSubtask,
    TalkTask,
)

ACTS = ("accept", "decline", "request", "done", "stop", "resume", "choose", "ask", "remark")
ITEM = ("Item",)
POT = ("Container", "Item")


def moment(
    proposals: tuple[TalkProposal, ...] = (),
    subtasks: tuple[TalkSubtask, ...] = (),
    acts: tuple[str, ...] = ACTS,
) -> TalkContext:
    return TalkContext(
        agents=(
            TalkAgent("user", ("the cook",), person=True),
            TalkAgent("R1", ("the arm",)),
            TalkAgent("R2", ("the fetcher",)),
        ),
        user="user",
        proposals=proposals,
        subtasks=subtasks,
        recipes=("Caesar Salad", "Vegetable Soup", "Tomato Soup", "Mac and Cheese"),
        recipe_name="",
        tasks=(
            TalkTask("get", ("get <item>", "fetch <item>", "bring <item>"), {"item": "Item"}),
            TalkTask("put away", ("put away <item>",), {"item": "Item"}),
            TalkTask("stir", ("stir <pot>", "mix <pot>"), {"pot": "Container"}),
            TalkTask(
                "pour",
                ("pour <item> into <pot>", "pour <item>"),
                {"item": "Item", "pot": "Container"},
            ),
            TalkTask("prepare", ("prepare <item>", "chop <item>"), {"item": "Item"}),
            TalkTask("hand", ("hand <person> <item>",), {"person": "Person", "item": "Item"}),
        ),
        objects=(
            TalkObject("pepper", (), ITEM),
            TalkObject("salt", (), ITEM),
            TalkObject("ranch sauce", ("ranch",), ITEM),
            TalkObject("lettuce", (), ITEM),
            TalkObject("spoon", (), ITEM),
            TalkObject("mixing bowl", ("bowl",), POT),
            TalkObject("pot", (), POT),
            TalkObject("pantry", (), ("Place",)),
            TalkObject("table", (), ("Place",)),
        ),
        acts=acts,
    )


READY = (
    TalkSubtask("s1", "get pepper", "ready"),
    TalkSubtask("s2", "stir pot", "ready"),
    TalkSubtask("s3", "prepare lettuce", "ready"),
)
P1 = TalkProposal("p1", "R2", "s1", "get pepper")
P2 = TalkProposal("p2", "R1", "s2", "stir pot")
P3 = TalkProposal("p3", "user", "s3", "prepare lettuce")
OPEN = moment((P1, P2), READY)
THREE = moment((P1, P2, P3), READY)
IDLE = moment()
BUSY = moment(
    subtasks=(
        TalkSubtask("s1", "get pepper", "running", "R2"),
        TalkSubtask("s2", "stir pot", "running", "R1"),
        TalkSubtask("s3", "prepare lettuce", "running", "user"),
        TalkSubtask("s4", "get salt", "ready"),
        TalkSubtask("s5", "get lettuce", "done"),
    )
)
HELD = moment(subtasks=(TalkSubtask("s2", "stir pot", "interrupted", "R1"), *BUSY.subtasks[3:]))


def brief(text: str, context: TalkContext) -> list[str]:
    """Each act in a word or few: "accept p1 p2", "request R2 get(item=salt) first", "stop R1"."""
    lines = []
    for act in read(text, context):
        words = [str(act["kind"])]
        for field in ("proposals", "subtasks"):
            if field in act:
                value = act[field]
                assert isinstance(value, list)
                words += value
        if act["kind"] == "request":
            args = act["args"]
            assert isinstance(args, dict)
            inside = ", ".join(f"{k}={v}" for k, v in sorted(args.items()))
            words += [str(act["agent"] or "anyone"), f"{act['task']}({inside})"]
            words += ["first"] * bool(act["first"])
        elif act["kind"] in ("stop", "resume"):
            words.append(str(act["agent"] or "all"))
        elif act["kind"] == "choose":
            words.append(str(act["recipe"] or "none"))
        lines.append(" ".join(words))
    return lines


ACCEPTS = [
    ("Yes please", "accept p1 p2"),
    ("yes", "accept p1 p2"),
    ("Yeah!", "accept p1 p2"),
    ("yep, sounds good", "accept p1 p2"),
    ("OK", "accept p1 p2"),
    ("Okay.", "accept p1 p2"),
    ("sure", "accept p1 p2"),
    ("Sure thing", "accept p1 p2"),
    ("Of course", "accept p1 p2"),
    ("alright", "accept p1 p2"),
    ("sounds great", "accept p1 p2"),
    ("That works for me", "accept p1 p2"),
    ("go ahead", "accept p1 p2"),
    ("go on", "accept p1 p2"),
    ("OK, go on", "accept p1 p2"),
    ("do it", "accept p1 p2"),
    ("please do", "accept p1 p2"),
    ("that would be great", "accept p1 p2"),
    ("that's fine", "accept p1 p2"),
    ("good idea", "accept p1 p2"),
    ("sure, why not", "accept p1 p2"),
    ("Perfect, thanks!", "accept p1 p2"),
    ("Perfect", "accept p1 p2"),
    ("Great!", "accept p1 p2"),
    ("both", "accept p1 p2"),
    ("yes to both", "accept p1 p2"),
    ("all of them", "accept p1 p2"),
    ("yes, all of them please", "accept p1 p2"),
    ("the first one", "accept p1"),
    ("just the second one", "accept p2"),
    ("yes to the first", "accept p1"),
    ("yes to the pepper", "accept p1"),
    ("the pepper yes", "accept p1"),
    ("R2 yes", "accept p1"),
    ("R1: yes", "accept p2"),
    ("yes, R1", "accept p2"),
    ("R2 can do that", "accept p1"),
    ("Yes, R2 can get the pepper", "accept p1"),
    ("yes get the pepper", "accept p1"),
    ("R1, go ahead", "accept p2"),
]


@pytest.mark.parametrize(("text", "expected"), ACCEPTS)
def test_agrees_to_open_proposals(text: str, expected: str) -> None:
    assert brief(text, OPEN) == [expected]


@pytest.mark.parametrize("text", [text for text, _ in ACCEPTS])
def test_never_agrees_when_nothing_is_proposed(text: str) -> None:
    assert not [act for act in brief(text, IDLE) if act.startswith(("accept", "decline", "stop"))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No", "decline p1 p2"),
        ("nope", "decline p1 p2"),
        ("No thanks", "decline p1 p2"),
        ("not yet", "decline p1 p2"),
        ("not now", "decline p1 p2"),
        ("later", "decline p1 p2"),
        ("maybe later", "decline p1 p2"),
        ("wait", "decline p1 p2"),
        ("hold on", "decline p1 p2"),
        ("don't", "decline p1 p2"),
        ("I don't think so", "decline p1 p2"),
        ("I'd rather not", "decline p1 p2"),
        ("neither of them", "decline p1 p2"),
        ("no need", "decline p1 p2"),
        ("don't do it", "decline p1 p2"),
        ("wait with the pepper", "decline p1"),
        ("no pepper", "decline p1"),
        ("not the pepper", "decline p1"),
        ("don't get the pepper", "decline p1"),
        ("R2 should not get the pepper", "decline p1"),
        ("I don't want R2 to get the pepper", "decline p1"),
        ("forget the pepper", "decline p1"),
        ("the pepper can wait", "decline p1"),
        ("R1 should wait", "decline p2"),
        ("not R1", "decline p2"),
        ("don't stir yet", "decline p2"),
        ("not the second one", "decline p2"),
    ],
)
def test_declines_what_is_named_or_everything(text: str, expected: str) -> None:
    assert brief(text, OPEN) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R1 yes, R2 no", ["accept p2", "decline p1"]),
        ("yes but not R2", ["accept p2", "decline p1"]),
        ("yes, except R2", ["accept p2"]),
        ("No, but R1 yes", ["decline p1", "accept p2"]),
        ("the first one yes, the second one no", ["accept p1", "decline p2"]),
        ("yes to the pepper but not the pot", ["accept p1", "decline p2"]),
        ("Yes. No, wait.", ["decline p1 p2"]),
        (
            "Not yet: R2 should get ranch sauce first",
            ["decline p1 p2", "request R2 get(item=ranch sauce) first"],
        ),
        (
            "wait go get the ranch first",
            ["decline p1 p2", "request anyone get(item=ranch sauce) first"],
        ),
        (
            "Not yet. I want R2 to get salt for me before getting pepper.",
            ["decline p1 p2", "request R2 get(item=salt) first"],
        ),
        (
            "Ok. I will chop the lettuce then.",
            ["accept p1 p2", "request user prepare(item=lettuce)"],
        ),
        ("Yes, and R2 should get the salt", ["accept p1 p2", "request R2 get(item=salt)"]),
        ("OK, what's left?", ["ask"]),
        ("yes, stop!", ["stop all"]),
        ("OK let's make tomato soup", ["choose Tomato Soup"]),
        ("go ahead and get the salt", ["request anyone get(item=salt)"]),
        ("Yes, if R2 is free", ["ask"]),
        ("yes?", ["ask"]),
        ("Great job", ["remark"]),
        ("Great, I love pepper", ["remark"]),
        ("it smells so good", ["remark"]),
        ("it's warm and nice", ["remark"]),
        ("it's ok", ["remark"]),
        ("did you say yes", ["ask"]),
        ("I'm not sure", ["remark"]),
        ("no problem", ["remark"]),
        ("no idea", ["remark"]),
        ("don't worry", ["remark"]),
        ("see you later", ["remark"]),
        ("yes to the salt", ["remark"]),
        ("R1", ["remark"]),
    ],
)
def test_weighs_answers_against_each_other(text: str, expected: list[str]) -> None:
    assert brief(text, OPEN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can do that", ["accept p3"]),
        ("I'll do it", ["accept p3"]),
        ("I can't", ["decline p3"]),
        ("I won't do it", ["decline p3"]),
        ("Yes, and I'll prepare the lettuce", ["accept p1 p2 p3"]),
        ("yes to the last one", ["accept p3"]),
        ("Ok. I will chop the lettuce then.", ["accept p1 p2 p3"]),
    ],
)
def test_i_is_the_user(text: str, expected: list[str]) -> None:
    assert brief(text, THREE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("get the salt", ["anyone get(item=salt)"]),
        ("Please get me some salt.", ["anyone get(item=salt)"]),
        ("fetch the ranch", ["anyone get(item=ranch sauce)"]),
        ("bring me the salt from the pantry", ["anyone get(item=salt)"]),
        ("can R2 get me the pepper please", ["R2 get(item=pepper)"]),
        ("Can R2 get me the pepper, please?", ["R2 get(item=pepper)"]),
        ("Could you get the salt?", ["anyone get(item=salt)"]),
        ("can you get the pepper?", ["anyone get(item=pepper)"]),
        ("would you mind getting the salt?", ["anyone get(item=salt)"]),
        ("can you have R2 bring the salt?", ["R2 get(item=salt)"]),
        ("R1, stir the pot", ["R1 stir(pot=pot)"]),
        ("stir the pot, R1", ["R1 stir(pot=pot)"]),
        ("stir the pot please R1", ["R1 stir(pot=pot)"]),
        ("R 2 get the salt", ["R2 get(item=salt)"]),
        ("the fetcher should get the salt", ["R2 get(item=salt)"]),
        ("let R2 bring the salt first", ["R2 get(item=salt) first"]),
        ("First, get the salt", ["anyone get(item=salt) first"]),
        ("get the salt right away", ["anyone get(item=salt)"]),
        ("get the salt before anything else", ["anyone get(item=salt) first"]),
        ("Next, R1 should mix the bowl", ["R1 stir(pot=mixing bowl)"]),
        ("have R1 pour the salt into the pot", ["R1 pour(item=salt, pot=pot)"]),
        ("R1 must pour pepper in the bowl", ["R1 pour(item=pepper, pot=mixing bowl)"]),
        ("I want R2 to get pepper", ["R2 get(item=pepper)"]),
        ("I'd like R1 to stir the pot", ["R1 stir(pot=pot)"]),
        ("tell R2 to put the salt away", ["R2 put away(item=salt)"]),
        ("ask R2 to put away the salt", ["R2 put away(item=salt)"]),
        ("hand me the spoon", ["anyone hand(item=spoon, person=user)"]),
        ("I'll prepare the lettuce", ["user prepare(item=lettuce)"]),
        ("I will chop the lettuce now", ["user prepare(item=lettuce)"]),
        ("I'm going to get the salt", ["user get(item=salt)"]),
        ("I'm chopping the lettuce", ["user prepare(item=lettuce)"]),
        ("let me stir the pot", ["user stir(pot=pot)"]),
        ("I'll do the lettuce", ["user prepare(item=lettuce)"]),
        ("get the slat", ["anyone get(item=salt)"]),
        ("get the salt when you are done", ["anyone get(item=salt)"]),
        ("maybe R2 could get the salt", ["R2 get(item=salt)"]),
        ("wash the lettuce", ["anyone prepare(item=lettuce)"]),
        ("get the peper", ["anyone get(item=pepper)"]),
        ("fetch the letuce", ["anyone get(item=lettuce)"]),
        ("get the salt and the pepper", ["anyone get(item=salt)", "anyone get(item=pepper)"]),
        ("R2, get the salt, then stir the pot", ["R2 get(item=salt)", "R2 stir(pot=pot)"]),
        (
            "R1 should stir the pot and R2 should get the salt",
            ["R1 stir(pot=pot)", "R2 get(item=salt)"],
        ),
        (
            "can you get the salt and stir the pot?",
            ["anyone get(item=salt)", "anyone stir(pot=pot)"],
        ),
        ("go and get the salt", ["anyone get(item=salt)"]),
        ("after that, get the salt", ["anyone get(item=salt)"]),
    ],
)
def test_requests_what_a_task_names(text: str, expected: list[str]) -> None:
    found = [act for act in brief(text, moment(subtasks=READY)) if act != "remark"]
    assert found == [f"request {act}" for act in expected]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("should R2 get the pepper?", "ask"),
        ("R2 should get the pepper?", "ask"),
        ("can I get the pepper?", "ask"),
        ("is R2 getting the pepper?", "ask"),
        ("If R2 is free, get the salt", "ask"),
        ("get the salt unless R1 has it", "ask"),
        ("R2 is getting the pepper", "remark"),
        ("get the pepper grinder", "remark"),
        ("get the red pepper", "remark"),
        ("get the unicorn", "remark"),
        ("get the salt or the pepper", "remark"),
        ("stir the salt", "remark"),
        ("he said get the salt", "remark"),
        ("I like to stir the pot", "remark"),
        ("don't get the salt", "remark"),
    ],
)
def test_no_request_is_invented(text: str, kind: str) -> None:
    assert brief(text, IDLE) == [kind]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop!", ["stop all"]),
        ("stop", ["stop all"]),
        ("STOP STOP STOP", ["stop all"]),
        ("Stop! Stop!", ["stop all"]),
        ("halt", ["stop all"]),
        ("Freeze!", ["stop all"]),
        ("please stop", ["stop all"]),
        ("stop it", ["stop all"]),
        ("stop right now", ["stop all"]),
        ("everybody stop", ["stop all"]),
        ("Everyone, stop!", ["stop all"]),
        ("stop everything", ["stop all"]),
        ("I said stop", ["stop all"]),
        ("no, stop", ["stop all"]),
        ("can you stop?", ["stop all"]),
        ("R1 stop", ["stop R1"]),
        ("R1, stop!", ["stop R1"]),
        ("stop R2", ["stop R2"]),
        ("Stop, R2!", ["stop R2"]),
        ("R1 and R2, stop", ["stop R1", "stop R2"]),
        ("make R1 stop", ["stop R1"]),
        ("tell R2 to stop", ["stop R2"]),
        ("R2 should stop now", ["stop R2"]),
        ("could R1 stop please?", ["stop R1"]),
        ("stop stirring", ["stop R1"]),
        ("stop stirring the pot", ["stop R1"]),
        ("stop and get the salt", ["stop all", "request anyone get(item=salt)"]),
    ],
)
def test_stops(text: str, expected: list[str]) -> None:
    assert [act for act in brief(text, BUSY) if act != "remark"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "stop by the pantry",
        "don't stop",
        "please don't stop",
        "never stop",
        "non-stop",
        "nonstop cooking today",
        "I can't stop laughing",
        "the bus stop is far",
        "he told me to stop",
        "freeze the peas",
        "freeze it",
        "I'll stop by later",
        "should R1 stop?",
        "did R1 stop?",
        "why did you stop?",
        "stop if it boils over",
        "stop when the pot boils",
        "if it burns, stop",
        "the stop button is red",
        "without stopping",
        "R1 never stops",
        "stop worrying",
    ],
)
def test_what_is_no_stop(text: str) -> None:
    for context in (BUSY, OPEN):
        assert not [act for act in brief(text, context) if act.startswith("stop")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OK, go on", ["resume all"]),
        ("go on", ["resume all"]),
        ("continue", ["resume all"]),
        ("carry on please", ["resume all"]),
        ("you can go on now", ["resume all"]),
        ("resume", ["resume all"]),
        ("keep going", ["resume all"]),
        ("R1, go on", ["resume R1"]),
        ("R1 can continue", ["resume R1"]),
        ("continue stirring the pot", ["resume R1"]),
        ("let R1 continue", ["resume R1"]),
        ("don't go on", ["remark"]),
        ("what's going on?", ["ask"]),
        ("should R1 go on?", ["ask"]),
    ],
)
def test_goes_on(text: str, expected: list[str]) -> None:
    assert brief(text, HELD) == expected


@pytest.mark.parametrize("text", ["continue", "go on", "resume", "keep going"])
def test_nobody_held_nobody_resumed(text: str) -> None:
    assert brief(text, BUSY) == ["remark"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lettuce is done", ["done s3"]),
        ("done!", ["done s3"]),
        ("I'm done", ["done s3"]),
        ("OK, done", ["done s3"]),
        ("all done", ["done s3"]),
        ("I'm finished", ["done s3"]),
        ("I've finished chopping", ["done s3"]),
        ("I finished chopping the lettuce", ["done s3"]),
        ("I'm done with the lettuce", ["done s3"]),
        ("the lettuce is chopped", ["done s3"]),
        ("I chopped the lettuce", ["done s3"]),
        ("I prepared the lettuce", ["done s3"]),
        ("the lettuce is ready now", ["done s3"]),
        ("I have the salt already", ["done s4"]),
        ("I already got the salt", ["done s4"]),
        ("I've got the salt", ["done s4"]),
        ("No, I got the salt already", ["done s4"]),
        ("the salt is already here", ["done s4"]),
        ("the pepper is done", ["done s1"]),
        ("I'm not done", ["remark"]),
        ("almost done", ["remark"]),
        ("the lettuce is not done", ["remark"]),
        ("is the lettuce done?", ["ask"]),
        ("the cake is done", ["remark"]),
        ("I ate the lettuce", ["remark"]),
    ],
)
def test_done(text: str, expected: list[str]) -> None:
    assert brief(text, BUSY) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let's make caesar salad", "choose Caesar Salad"),
        ("lets cook tomato soup", "choose Tomato Soup"),
        ("caesar salad please", "choose Caesar Salad"),
        ("Caesar salad!", "choose Caesar Salad"),
        ("ceasar salad please", "choose Caesar Salad"),
        ("I want to make vegetable soup", "choose Vegetable Soup"),
        ("I'd like some tomato soup tonight", "choose Tomato Soup"),
        ("how about caesar salad?", "choose Caesar Salad"),
        ("can we make caesar salad?", "choose Caesar Salad"),
        ("Hi, let's make mac and cheese", "choose Mac and Cheese"),
        ("let's make something", "choose none"),
        ("let's cook dinner", "choose none"),
        ("I love caesar salad", "remark"),
        ("what's in caesar salad?", "ask"),
        ("not caesar salad", "choose none"),
        ("let's make pizza", "choose none"),
    ],
)
def test_chooses_a_recipe(text: str, expected: str) -> None:
    assert brief(text, IDLE)[-1:] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "what's left?",
        "who has the pepper?",
        "where is the salt and the pepper?",
        "What is R2 doing",
        "how long does it take",
        "are you sure?",
        "does R2 know the way?",
        "could you help me?",
    ],
)
def test_asks(text: str) -> None:
    for context in (IDLE, OPEN, BUSY):
        (act,) = read(text, context)
        assert act["kind"] == "ask"
        assert act["about"] == act["quote"] == text.rstrip("?")


@pytest.mark.parametrize(
    "text",
    [
        "It smells lovely in here",
        "Thanks a lot!",
        "thank you",
        "Hello there",
        "good morning everybody",
        "my grandmother used to cook this",
        "I love pepper",
        "that pot is heavy",
        "what a day",
        "it's raining again",
        "the salt is from the sea",
        "R2 is quick today",
        "I see",
        "haha",
        "sorry",
        "we had a salad yesterday",
        "I was thinking about the sauce",
        "nice kitchen you have",
        "the radio said it will be sunny",
        "this knife is so sharp",
        "let me know when it's time",
        "you are doing great",
        "hmm",
        "yummy",
    ],
)
def test_chit_chat_is_only_a_remark(text: str) -> None:
    for context in (IDLE, OPEN, BUSY, HELD, THREE):
        assert brief(text, context) == ["remark"]


@pytest.mark.parametrize("text", ["", "   ", "...", "?!", "🥗🥗", "—"])
def test_no_words_no_acts(text: str) -> None:
    assert read(text, OPEN) == []


def test_only_declared_kinds() -> None:
    context = moment((P1,), READY, acts=("accept", "remark"))
    assert brief("Stop!", context) == ["remark"]
    assert brief("yes", context) == ["accept p1"]
    assert read("Stop!", moment(acts=("accept",))) == []


def test_quotes_the_words_of_each_act() -> None:
    acts = read("Not yet: R2 should get ranch sauce first", OPEN)
    assert [act["quote"] for act in acts] == ["Not yet", "R2 should get ranch sauce first"]
    assert read("Hey! R1, stir the pot.", IDLE)[-1]["quote"] == "R1, stir the pot"


WORDS = word_set(
    "yes no ok not yet stop halt go on ahead get fetch stir pour the a salt pepper pot "
    "bowl lettuce ranch sauce R1 R2 I you can could should please first before after and "
    "then but , . ! ? : R2 if done finished don't it that both all of them one let's make "
    "caesar salad into I'll "
)
PHRASES = st.lists(st.sampled_from(sorted(WORDS)), max_size=60).map(" ".join)


@settings(max_examples=many(150, 8), deadline=None)
@given(st.one_of(st.text(max_size=400), PHRASES))
def test_any_text_gives_declared_acts_with_verbatim_quotes(text: str) -> None:
    for context in (OPEN, BUSY, HELD):
        for act in read(text, context):
            assert act["kind"] in ACTS
            assert act["quote"]
            assert str(act["quote"]) in text
            if act["kind"] in ("accept", "decline"):
                assert act["proposals"]
                assert context.proposals


@settings(max_examples=many(60, 4), deadline=None)
@given(PHRASES)
def test_reading_is_a_function_of_its_inputs(text: str) -> None:
    assert read(text, OPEN) == read(text, OPEN)


@pytest.mark.parametrize(
    "piece",
    ["all of ", "stop ", "the ", "R1 ", "R1 and ", "please go and ", "a", "İ", "yes, ", "get the ",
     "i have ", "is ", "'s ", "before ", "?", "get salt ", "if ", "ﷺ", "\ud800", "\x00", "peperr ",
     "i'll ", "now ", "that is ", "a-", "-", "not yet "],
)  # fmt: skip
def test_long_text_is_read_in_bounded_time(piece: str) -> None:
    text = (piece * 10_000)[:10_000]
    began = time.perf_counter()
    acts = read(text, OPEN)
    assert time.perf_counter() - began < 10  # a guard against a hang, no timing
    assert all(str(act["quote"]) in text[:2000] for act in acts)


def test_who_is_stopped_goes_on_also_when_its_subtask_is_gone() -> None:
    agents = tuple(replace(a, stopped=a.name == "R1") for a in IDLE.agents)
    assert brief("Go on.", replace(IDLE, agents=agents)) == ["resume all"]
    assert brief("Go on.", IDLE) == ["remark"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forget the pepper", ["drop s1"]),
        ("we don't need the salt", ["drop s4"]),
        ("leave out the stirring", ["drop s2"]),
        ("don't get the pepper yet", ["stop R2"]),
        ("I forgot the pepper", ["remark"]),
    ],
)
def test_calls_off(text: str, expected: list[str]) -> None:
    assert brief(text, replace(BUSY, acts=(*ACTS, "drop"))) == expected


@pytest.mark.parametrize(
    "text", ["what lovely weather", "he said get the salt", "my mom yelled stop"]
)
def test_what_is_told_of_others_is_a_remark(text: str) -> None:
    for context in (IDLE, OPEN, BUSY):
        assert brief(text, context) == ["remark"]


def test_a_recipe_is_named_without_regard_to_spaces() -> None:
    soup = replace(IDLE, recipes=("Eggdrop Soup",))
    assert brief("let's make egg drop soup", soup) == ["choose Eggdrop Soup"]


def test_a_report_said_again_finishes_nothing_else() -> None:
    """Found by the first user: "done with onions" put onions into a pot that nobody had touched."""
    again = replace(
        IDLE,
        subtasks=(
            TalkSubtask("chop onions", "chop the onions", "done", "user"),
            TalkSubtask("put onions into pot", "put the onions into the pot", "ready"),
        ),
        objects=(*IDLE.objects, TalkObject("onions", types=("Item",))),
    )
    assert [act["kind"] for act in read("done with the onions", again)] == ["remark"]
    held = replace(again.subtasks[1], status="queued", agent="R1")
    given_away = replace(again, subtasks=(again.subtasks[0], held))
    (act,) = read("done with the onions", given_away)
    assert act["subtasks"] == ["put onions into pot"]
