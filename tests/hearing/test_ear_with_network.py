"""When an ear asks its network, and what it makes of the answer."""

from __future__ import annotations

from dataclasses import replace

from experiments.hearing.phrases import Act
from tests.hearing.moments import ACTS, everyday, moment
from tests.hearing.stub_network import StubNetwork, everyday_with
from treec.team.talk import TalkContext
from treec_hearing.ear import Ear
from treec_hearing.heard import CONFIDENT, GUARDED, Hearing

MOW: Act = ("request", None, "mow", (("item", "lawn"),), False)


def listened(text: str, network: StubNetwork, now: TalkContext | None = None) -> Hearing:
    return everyday_with(network).listen(text, now or moment("garden"))


def kinds(heard: Hearing) -> list[str]:
    return [act.kind for act in heard.acts]


def left(heard: Hearing) -> list[str]:
    return [heard.text[first:last] for first, last in heard.left_over]


def test_words_that_templates_explain_are_not_asked_about() -> None:
    network = StubNetwork({("decline", "p1"): 1.0})
    for text, kind in (("Yes please.", "accept"), ("Rover, mow the lawn", "request")):
        assert kinds(listened(text, network)) == [kind]
    assert network.asked == 0


def test_with_words_left_over_the_network_chooses() -> None:
    network = StubNetwork({("decline", "p1"): (0.9, 0.0, 1)})
    heard = listened("Mow the lawn, or rather let it be", network)
    assert network.asked == 1
    assert kinds(heard) == ["decline"], "the order of the template is not heard beside it"
    (act,) = heard.acts
    assert (act.template, act.likely) == ("", 0.9)
    assert kinds(everyday().listen("Mow the lawn, or rather let it be", moment("garden"))) == [
        "request"
    ]


def test_a_template_for_any_words_does_not_keep_the_network_from_being_asked() -> None:
    text = "Could I see the lawn mowed by Rover"
    assert kinds(everyday().listen(text, moment("garden"))) == ["ask"]
    rover: Act = ("request", "Rover", "mow", (("item", "lawn"),), False)
    network = StubNetwork({rover: 0.95})
    assert kinds(listened(text, network)) == ["request"]
    assert network.asked == 1


def test_a_remark_by_a_template_for_any_words_does_not_either() -> None:
    text = "please do not bother yourself today"
    assert kinds(everyday().listen(text, moment("garden"))) == ["remark"]
    assert "decline" in kinds(listened(text, StubNetwork({("decline", "p1"): 0.95})))


def test_kinds_that_the_network_does_not_know_stay_with_the_templates() -> None:
    text = "Rover, leave that to somebody else, for heaven's sake"
    heard = listened(text, StubNetwork({("ask",): 0.9}))
    assert sorted(kinds(heard)) == ["ask", "release"]


def test_what_was_never_asked_for_is_not_taken_back_by_a_second_no() -> None:
    text = "I'm not allowed the lawn, so no lawn at all."
    assert kinds(listened(text, StubNetwork({("drop", "s2"): 0.95}))) == ["drop"]


def guarded(text: str, likely: float) -> list[str]:
    """What is heard of an order by an ear with guards of its own."""
    words = {
        "guards": ["perchance", "prithee"],
        "unmeant": {"reported": ["quoth"]},
        "polite": ["prithee do"],
    }
    file = everyday().language.file.model_copy(update=words)
    ear = Ear(ACTS, {}, file, StubNetwork({MOW: (likely, 0.0, len(text.split()) - 1)}))
    return kinds(ear.listen(text, moment("garden")))


def test_beside_a_guard_an_order_of_the_network_must_be_surer() -> None:
    for text, needed in (
        ("tis the lawn to shear", CONFIDENT),
        ("perchance tis the lawn to shear", GUARDED),
        ("prithee tis the lawn to shear", GUARDED),
        ("prithee do the lawn to shear", CONFIDENT),
    ):
        assert guarded(text, needed - 0.01) == [], text
        assert guarded(text, needed) == ["request"], text


def test_beside_a_firm_guard_the_network_gives_no_order() -> None:
    assert guarded("quoth he the lawn to shear", 1.0) == []
    assert guarded("perchance quoth he the lawn to shear", 1.0) == []


def test_a_guard_in_another_sentence_changes_nothing() -> None:
    assert guarded("Quoth he. Perchance. Tis the lawn to shear", CONFIDENT) == ["request"]


def test_no_words_are_nothing_to_ask_about() -> None:
    network = StubNetwork({("ask",): 1.0})
    assert listened(" ... ", network).acts == ()
    assert network.asked == 0


def test_words_that_are_in_no_act_of_the_network_stay_left_over() -> None:
    text = "Fiddlesticks! It would wait till later"
    heard = listened(text, StubNetwork({("decline", "p1"): (0.9, 0.0, 3)}))
    assert kinds(heard) == ["decline"]
    assert left(heard) == ["Fiddlesticks"]


def test_words_of_an_act_that_the_network_overrules_are_left_over() -> None:
    heard = listened("Mow the lawn, bla bla", StubNetwork())
    assert heard.acts == ()
    assert left(heard) == ["Mow the lawn", "bla bla"]


def test_an_act_that_a_guard_held_back_is_not_told_so_once_it_is_heard() -> None:
    text = "If you can, mow the lawn"
    held = listened(text, StubNetwork())
    assert (kinds(held), [act.kind for act in held.held_back]) == ([], ["request"])
    heard = listened(text, StubNetwork({MOW: 0.95}))
    assert kinds(heard) == ["request"]
    assert heard.held_back == ()


def test_without_a_network_templates_alone_hear() -> None:
    heard = everyday().listen("it would be my pleasure", moment("garden"))
    assert heard.acts == ()
    assert left(heard) == ["it would be my pleasure"]


def test_an_act_of_the_network_is_given_as_plain_data() -> None:
    ear = everyday_with(StubNetwork({MOW: (0.9, 0.9, 0), ("ask",): (0.8, 0.0, 3)}))
    assert ear("the lawn, mowed, eh, what of that", moment("garden")) == [
        {
            "kind": "request",
            "quote": "the lawn, mowed",
            "agent": None,
            "task": "mow",
            "args": {"item": "lawn"},
            "first": True,
        },
        {"kind": "ask", "quote": "what of that", "about": "what of that"},
    ]


def test_where_the_network_hears_nothing_the_words_are_a_remark() -> None:
    ear = everyday_with(StubNetwork())
    assert ear("Mow the lawn, bla bla", moment("garden")) == [
        {"kind": "remark", "quote": "Mow the lawn, bla bla"}
    ]


def test_a_no_that_the_network_hears_has_a_word_of_one() -> None:
    network = StubNetwork({("decline", "p1"): 0.95})
    assert listened("Switch on a lamp somewhere", network).acts == ()
    assert kinds(listened("A lamp may wait, though", network)) == ["decline"]


def test_a_network_hears_no_kind_that_the_moment_has_not() -> None:
    now = replace(moment("garden"), acts=("decline", "remark"))
    ear = Ear(ACTS, {}, None, StubNetwork({MOW: 1.0, ("stop", None): 1.0, ("decline", "p1"): 0.9}))
    assert [act["kind"] for act in ear("stop mowing the lawn", now)] == ["decline"]


def test_kinds_that_the_reading_does_not_declare_are_not_heard() -> None:
    network = StubNetwork({("accept", "p1"): 0.9, ("decline", "p1"): 0.95})
    fewer = {kind: fields for kind, fields in ACTS.items() if kind != "decline"}
    ear = Ear(fewer, {}, everyday().language.file, network)
    now = moment("garden")
    assert "decline" in now.acts
    assert [act["kind"] for act in ear("affirmative notion", now)] == ["accept"]


def test_a_network_does_not_judge_words_about_leaving_work() -> None:
    """It knows no `release`, and would take these words for a drop of the same work."""
    sure = StubNetwork({("drop", "s2"): 0.95})
    for text in ("Never leave the lawn to somebody else", "If tired leave the lawn to anyone else"):
        assert "drop" not in kinds(listened(text, sure))
        assert "release" not in kinds(listened(text, sure))
    assert "drop" in kinds(listened("Scratch the lawn, such a bother", sure))


def test_what_somebody_is_to_do_is_not_dropped_by_the_same_words() -> None:
    rover: Act = ("request", "Rover", "mow", (("item", "lawn"),), False)
    network = StubNetwork({("drop", "s2"): (0.95, 0.0, 0), rover: (0.9, 0.0, 4)})
    assert kinds(listened("Forget the lawn, Rover does it anyway", network)) == ["request"]
    later = StubNetwork({("drop", "s2"): (0.95, 0.0, 5), rover: (0.9, 0.0, 0)})
    assert "drop" in kinds(listened("Rover mows the lawn. Hm, forget that", later))


def test_an_order_for_what_nobody_knows_is_no_stop() -> None:
    network = StubNetwork({("stop", "Rover"): (0.9, 0.0, 0)})
    assert kinds(listened("Rover, mow the moon", network)) == []
    assert kinds(listened("Rover, enough of mowing the moon", network)) == ["stop"]


def test_it_is_what_was_named_before() -> None:
    """The roses are what Rover waters; a network that reads the lawn into "it" is not believed."""
    lawn: Act = ("request", "user", "mow", (("item", "lawn"),), False)
    network = StubNetwork({lawn: (0.9, 0.0, 4)})
    assert kinds(listened("Keep off the roses, I'll mow it somehow", network)) == []
    assert kinds(listened("Keep off, I'll mow it somehow now", network)) == ["request"]
