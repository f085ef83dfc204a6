"""BehaviorTree.CPP is the judge of what is imported and exported: trees run side by side."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("behaviortreepy")

from experiments.interchange import btcpp
from experiments.interchange.btcpp import ScriptedTree, judge, judge_export, judge_many
from tests.support.tiers import many


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_do_the_same_imported_and_exported_again(seed: int) -> None:
    first, count = 100_000 + 1000 * seed, many(70, 30)
    results = list(judge_many(range(first, first + count)))
    differ = [one for one in results if one[2] is not None]
    assert [one for one in differ if not btcpp.known_in(btcpp.random_case(one[0]))] == []
    assert len(differ) <= count // 20
    compared = Counter(way for _, way, _, refused in results if refused is None)
    assert min(compared["import"], compared["export"]) > count // 4


TREES = {
    "a guard before a branch": ("<Sequence><Go _skipIf='a == 0'/><Look/></Sequence>", "S R"),
    "skipped in a fallback": (
        "<Fallback><Go _skipIf='a == 0'/><Look _skipIf='a != 0'/><Wait/></Fallback>",
        "S S S",
    ),
    "driving while there is power": (
        "<Sequence><Script code='b -= 1'/><Go _while='b > 0'/></Sequence>",
        "RRR",
    ),
    "a guard that ends a running node of a fallback": (
        "<Parallel success_count='2'><Repeat num_cycles='-1'><Sequence><Go/><Script code='b -= 1'/>"
        "</Sequence></Repeat><Fallback><Look _while='b > 0'/><Wait/></Fallback></Parallel>",
        "RS R R",
    ),
    "scripts after success, failure and both": (
        "<Fallback><Go _onFailure='a += 1' _post='b += 10'/><Look _onSuccess='a += 5'/></Fallback>",
        "FRS RSF",
    ),
    "a script when halted": (
        "<ReactiveSequence><Go/><Look _onHalted='c := 7' _post='c += 1'/></ReactiveSequence>",
        "SSFR RRS",
    ),
    "arithmetic from the right": (
        "<Sequence><Script code='a := 10 - 3 - 2; b := 8 / 4 * 2; c := 2 * 3 + 4 * 5'/>"
        "<ScriptCondition code='a - b - c == 9 - 1 + c'/></Sequence>",
        "",
    ),
    "and and or bind alike": (
        "<Sequence><Go _successIf='1 == 1 || 1 == 1 && 1 == 2'/><Look/></Sequence>",
        "FS S",
    ),
    "chained comparisons": (
        "<ScriptCondition code='a < c < b && !(c < a) &amp;&amp; 0 <= a'/>",
        "",
    ),
    "a choice in a script": (
        "<Repeat num_cycles='-1'><Script code=\"a := a < 2 ? a + 1 : 0; s := 'n' .. 'o'\"/>"
        "</Repeat>",
        "",
    ),
    "run once, then skipped": (
        "<Sequence><RunOnce><Go/></RunOnce><Look/></Sequence>",
        "RF SFR",
    ),
    "the first condition wins": (
        "<Go _failureIf='a == 0' _successIf='a == 0' _skipIf='a == 0' _onFailure='a := 1'/>",
        "RS",
    ),
    "if, then, else": (
        "<IfThenElse><IsDoor/><Go/><Look/></IfThenElse>",
        "SFF RS RF",
    ),
    "while, do, else": (
        "<WhileDoElse><ScriptCondition code='b > 0'/><Sequence><Go/><Script code='b -= 1'/>"
        "</Sequence><Look/></WhileDoElse>",
        "RS RRS",
    ),
    "preconditions": (
        "<Sequence><Precondition if='a > 0' else='SUCCESS'><Go/></Precondition>"
        "<Precondition if='b > 0' else='FAILURE'><Look/></Precondition></Sequence>",
        "F RF",
    ),
    "a retry beside guards": (
        "<RetryUntilSuccessful num_attempts='3'><Sequence><Go/><Look _failureIf='a < 2'"
        " _post='a += 1'/></Sequence></RetryUntilSuccessful>",
        "S S",
    ),
    "as many rounds as an entry says": (
        "<Sequence><Repeat num_cycles='{b}'><Go/></Repeat><Repeat num_cycles='{a}'><Look/></Repeat>"
        "<RetryUntilSuccessful num_attempts='{c}'><Wait/></RetryUntilSuccessful></Sequence>",
        "RSSRSF S RFS",
    ),
    "as many attempts as an entry says": (
        "<RetryUntilSuccessful num_attempts='{b}'><Sequence><Go/><Look/></Sequence>"
        "</RetryUntilSuccessful>",
        "SRSF RFF",
    ),
    "a subtree that is skipped": (
        "<Fallback><SubTree ID='inner' _autoremap='true'/><Look/></Fallback>",
        "RF S",
    ),
    "a switch": (
        "<Sequence><Go/><Switch2 variable='{s}' case_1='x' case_2='y'><Script code=\"s := 'y'\"/>"
        "<Look _onSuccess=\"s := 'z'\"/><Script code=\"s := 'x'\"/></Switch2></Sequence>",
        "S RS",
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_trees_as_people_write_them_do_the_same(name: str) -> None:
    xml, scripts = TREES[name]
    names = [one for one in ("Go", "Look", "Wait", "IsDoor") if f"<{one}" in xml]
    if "IsDoor" in names:
        names = ["IsDoor", "Go", "Look"]
    inner = "<BehaviorTree ID='inner'><Go _skipIf='b == 2' _onSuccess='b := 1'/></BehaviorTree>"
    whole = f"<BehaviorTree ID='main'>{xml}</BehaviorTree>{inner if 'inner' in xml else ''}"
    if "inner" in xml:
        names = ["Go", "Look"]
    leaves = dict(zip(names, scripts.split(), strict=True))
    text = f"<root BTCPP_format='4' main_tree_to_execute='main'>{whole}</root>"
    case = ScriptedTree(text, leaves)
    assert judge(case) is None
    assert judge_export(case) is None


@pytest.mark.parametrize(("name", "why"), btcpp.KNOWN.items())
def test_each_known_difference_is_one(name: str, why: str) -> None:
    assert why
    case = btcpp.EXAMPLES[name]
    if name == "exception":
        with pytest.raises(btcpp.ImportRefused, match=r"BehaviorTree\.CPP"):
            judge(case)
    else:
        assert judge(case) is not None
