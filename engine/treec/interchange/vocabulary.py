"""Which element stands for which node, in both directions."""

from __future__ import annotations

import re

from treec.extensions import registry
from treec.files.nodes import COMMON, MODIFIERS, NODE_MODELS

PREFIX = "Treec"
"""Elements of treec's own nodes: ``TreecAsk`` is `ask`."""

NODE = "TreecNode"
"""The element of a node class whose name is no name of an element."""

ON_SUCCESS = "_onSuccess"
"""A script after a node: also the name of the `set` in which it stands, by which it is found."""

REMAPS = "_autoremap"
"""A subtree that takes over entries by their names; kept where that tree is not known."""

COMPOSITES = {
    "Sequence": "sequence",
    "Fallback": "selector",
    "ReactiveSequence": "reactive_sequence",
    "ReactiveFallback": "reactive_selector",
    "SequenceWithMemory": "sequence_with_memory",
}
"""BehaviorTree.CPP's."""

OTHER_COMPOSITES = {"Selector": "selector", "SequenceStar": "sequence_with_memory"}
"""py_trees' and those of BehaviorTree.CPP 3, which are read only."""

FLAGS = {
    "Inverter": "invert",
    "ForceSuccess": "force_success",
    "ForceFailure": "force_failure",
    "KeepRunningUntilFailure": "keep_running_until_failure",
}
"""Decorators without arguments, of BehaviorTree.CPP."""

PY_TREES_FLAGS = {
    "Inverter": "invert",
    "FailureIsSuccess": "force_success",
    "SuccessIsFailure": "force_failure",
    "SuccessIsRunning": "keep_running_until_failure",
}

COUNTS = {"RetryUntilSuccessful": ("retry", "num_attempts"), "Repeat": ("repeat", "num_cycles")}
"""Decorators with a number, of BehaviorTree.CPP."""

PY_TREES_COUNTS = {"Retry": ("retry", "num_failures"), "Repeat": ("repeat", "num_success")}

GENERIC = ("Action", "Condition", "Decorator", "Control")
"""Elements that say the type of a node in `ID`."""

READ = frozenset(
    {
        *COMPOSITES,
        *OTHER_COMPOSITES,
        *FLAGS,
        *PY_TREES_FLAGS,
        *COUNTS,
        *PY_TREES_COUNTS,
        *GENERIC,
        "RetryUntilSuccesful",
        "Parallel",
        "Timeout",
        "RunOnce",
        "Delay",
        "PassThrough",
        "SubTree",
        "SubTreePlus",
        "SubTreeRemap",
        "AlwaysSuccess",
        "AlwaysFailure",
        "ScriptCondition",
        "Script",
        "SetBlackboard",
        "Sleep",
        *(f"Switch{number}" for number in range(2, 7)),
    }
)
"""Elements that are read as nodes of treec; any other is a node class of one's own."""

ORDER = {"for": -1, **{key: index for index, key in enumerate(MODIFIERS)}}
"""The order in which treec applies modifiers, from the outside in."""

_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def element_of(key: str) -> str:
    """Return the element of treec's own node or modifier: ``TreecOnChange`` of `on_change`."""
    return PREFIX + "".join(part.capitalize() for part in key.split("_"))


def own_elements() -> dict[str, str]:
    """Return the keys of treec's own nodes and modifiers, those of extensions too, by element."""
    keys = [*registry().nodes, *MODIFIERS, "for", "then", "parallel_never"]
    return {element_of(key): key for key in keys}


def is_xml_name(text: str) -> bool:
    """Whether a text can be the name of an attribute or element, in ASCII."""
    return _XML_NAME.fullmatch(text) is not None and not text.lower().startswith("xml")


def is_own_type(tag: str) -> bool:
    """Whether an element can be the key of a node class: it stands for nothing else."""
    taken = tag in NODE_MODELS or tag in MODIFIERS or tag in COMMON
    other = tag in ("with", "then", "else", "children")
    return not (taken or other or tag in READ or tag.startswith(PREFIX))
