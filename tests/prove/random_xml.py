"""Random trees as XML of BehaviorTree.CPP."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from itertools import cycle
from string import ascii_lowercase

from treec_prove.btcpp import PLAIN

SCRIPTS = ("x &gt; 2", "y &lt; 5", "x == 2", "!(y &gt; 3)")
CONDITIONS = ("_skipIf", "_failureIf", "_successIf", "_while")
ONE = ("Inverter", "ForceSuccess", "ForceFailure", "KeepRunningUntilFailure")
COUNTED = ("Parallel", "ParallelAll", "RunOnce", "RetryUntilSuccessful", "Repeat")


def random_xml(seed: int, depth: int = 3) -> str:
    """A tree of all elements that the model has, with preconditions."""
    rng = random.Random(seed)
    names = cycle(ascii_lowercase)

    def guards() -> str:
        chosen = [name for name in CONDITIONS if rng.random() < 0.08]
        return "".join(f' {name}="{rng.choice(SCRIPTS)}"' for name in chosen)

    def leaf() -> str:
        kind = rng.random()
        if kind < 0.2:
            return f"<{rng.choice(['AlwaysSuccess', 'AlwaysFailure'])}{guards()}/>"
        if kind < 0.3:
            return f'<ScriptCondition code="{rng.choice(SCRIPTS)}"{guards()}/>'
        return f'<Action ID="{next(names)}"{guards()}/>'

    def node(depth: int) -> str:
        if depth == 0 or rng.random() < 0.3:
            return leaf()
        tag = rng.choice([*PLAIN, *COUNTED])
        count = 1 if tag in (*ONE, *COUNTED[2:]) else rng.randint(1, 3)
        count = max(count, 2) if tag in ("IfThenElse", "WhileDoElse") else count
        options = {
            "Parallel": lambda: (
                f' success_count="{rng.choice([-1, -2, 1, count])}"'
                f' failure_count="{rng.choice([1, -1, count])}"'
            ),
            "ParallelAll": lambda: f' max_failures="{rng.randint(1, count)}"',
            "RunOnce": lambda: rng.choice(["", ' then_skip="false"', ' then_skip="true"']),
            "RetryUntilSuccessful": lambda: f' num_attempts="{rng.choice([-1, 1, 2, 3])}"',
            "Repeat": lambda: f' num_cycles="{rng.choice([-1, 1, 2, 3])}"',
        }
        given = options.get(tag, str)()
        below = "".join(node(depth - 1) for _ in range(count))
        return f"<{tag}{given}{guards()}>{below}</{tag}>"

    return f'<root BTCPP_format="4"><BehaviorTree ID="Main">{node(depth)}</BehaviorTree></root>'


def is_skipped_inside(text: str) -> bool:
    """Whether a node can be skipped by what is in it: BehaviorTree.CPP's stay RUNNING then."""
    return any(
        not below.attrib.keys().isdisjoint(("_skipIf", "_while"))
        or (below.tag == "RunOnce" and below.get("then_skip") != "false")
        for node in ElementTree.fromstring(text).iterfind("./BehaviorTree/*")
        for below in node.iterfind(".//*")
    )
