"""What BehaviorTree.CPP's SKIPPED is where it stands: SUCCESS in a sequence, else FAILURE.

A control node goes on after a child that is skipped, and is skipped itself if all children are. So
SKIPPED is one of the two statuses as far as the node above does not depend on that; what does has
no counterpart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from treec_interchange.attributes import decode_text
from treec_interchange.vocabulary import EFFECTS, PASS_THROUGH, SKIPS, SUBTREES, kind_of
from treec_interchange.xml_reader import XmlElement

Skipped = Literal["success", "failure"]

_GO_ON: dict[str, Skipped] = {
    **dict.fromkeys(("Sequence", "ReactiveSequence", "PipelineSequence"), "success"),
    **dict.fromkeys(("Fallback", "ReactiveFallback", "RoundRobin"), "failure"),
}
"""Control nodes that go on after a child that is skipped, as after this status.

`SequenceWithMemory` ends its tick after a child that succeeds at once, and not after a skipped one.
"""
_CHOOSES = frozenset({"IfThenElse", "WhileDoElse"})
"""What has the status of one of its children, by the first, which is a condition."""
_OTHER: dict[Skipped, Skipped] = {"success": "failure", "failure": "success"}
_AS_CHILD = frozenset({"Timeout", "Delay", "Precondition", PASS_THROUGH})
"""What is skipped if its child is, and has its child's status otherwise."""


def skipped_as(trees: Mapping[str, XmlElement]) -> dict[int, Skipped]:
    """The status that stands for SKIPPED at an element, by its id, wherever there is one.

    A tree that no other inserts succeeds when it is skipped.
    """
    return _Skipped(trees).found


class _Skipped:
    def __init__(self, trees: Mapping[str, XmlElement]) -> None:
        self._trees = trees
        self._can: dict[int, bool] = {}
        self.found: dict[int, Skipped] = {}
        self._of_tree: dict[str, set[Skipped | None]] = {name: set() for name in trees}
        inserted = {
            decode_text(one.attributes.get("ID", ""))
            for tree in trees.values()
            for one in tree.walk()
            if one.tag in SUBTREES
        }
        for name in trees.keys() - inserted:
            self._of_tree[name] = {"success"}
        for _ in trees:  # from the outer trees to those that they insert
            self.found.clear()
            for name, tree in trees.items():
                places = self._of_tree[name]
                place = next(iter(places)) if len(places) == 1 else None
                for child in tree.children:
                    self._mark(child, place)

    def _mark(self, element: XmlElement, place: Skipped | None) -> None:
        as_it_is = place if not any(element.attributes.get(key) for key in EFFECTS) else None
        found = as_it_is if _skips_itself(element) else place
        if found is not None:
            self.found[id(element)] = found
        if element.tag in SUBTREES:
            self._of_tree.get(decode_text(element.attributes.get("ID", "")), set()).add(as_it_is)
        below = self._below(element, as_it_is)
        if "_onHalted" in element.attributes:  # there it is run when the element is skipped, too
            below = None
        for index, child in enumerate(element.children):
            is_condition = index == 0 and kind_of(element) in _CHOOSES
            self._mark(child, None if is_condition else below)

    def _below(self, element: XmlElement, as_it_is: Skipped | None) -> Skipped | None:
        """What it is for the children of an element; ``as_it_is`` if no script follows it there."""
        kind = kind_of(element)
        if (goes_on := _GO_ON.get(kind)) is not None:
            all_can = all(map(self._can_skip, element.children))
            return goes_on if not all_can or as_it_is == goes_on else None
        if kind in _AS_CHILD or kind in _CHOOSES or kind.startswith("Switch"):
            return as_it_is
        if kind == "Inverter" and as_it_is is not None:
            return _OTHER[as_it_is]
        if kind in ("ForceSuccess", "ForceFailure"):
            status: Skipped = "success" if kind == "ForceSuccess" else "failure"
            return status if as_it_is == status else None
        return "success" if kind == "KeepRunningUntilFailure" else None

    def _can_skip(self, element: XmlElement) -> bool:
        """Whether an element may be skipped."""
        known = self._can.get(id(element))
        if known is None:
            self._can[id(element)] = False  # a tree within itself
            known = self._can[id(element)] = self._finds_skip(element)
        return known

    def _finds_skip(self, element: XmlElement) -> bool:
        if any(key in element.attributes for key in SKIPS) or _skips_itself(element):
            return True
        kind = kind_of(element)
        children = element.children
        if element.tag in SUBTREES:
            tree = self._trees.get(decode_text(element.attributes.get("ID", "")))
            children = [] if tree is None else tree.children
        if kind in _CHOOSES or kind.startswith("Switch"):
            return any(map(self._can_skip, children))
        return bool(children) and all(map(self._can_skip, children))


def _skips_itself(element: XmlElement) -> bool:
    """Whether it may be skipped though its child is not."""
    kind, given = kind_of(element), element.attributes
    if kind == "RunOnce":
        return given.get("then_skip", "true") not in ("false", "0")
    return kind == "Precondition" and given.get("else") == "SKIPPED"
