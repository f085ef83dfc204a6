"""Where a tree fails of which something cannot be kept.

A node that fails in place of an element is safe where everything above passes its FAILURE on. Below
an element that may go on after a failure (a fallback, an inverter, a retry) it could open a way
that the whole element would not: there the outermost such element fails as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec_interchange.attributes import decode_text
from treec_interchange.vocabulary import LOOPS, SUBTREES, kind_of
from treec_interchange.xml_reader import XmlElement

_FAILS_WITH_ITS_CHILD = frozenset(
    {
        *("BehaviorTree", "Sequence", "AsyncSequence", "SequenceStar", "SequenceWithMemory"),
        *("ReactiveSequence", "PipelineSequence", "Timeout", "Delay", "ForceFailure", "Repeat"),
        *("PassThrough", "KeepRunningUntilFailure", *SUBTREES, *LOOPS),
    }
)


def failing(trees: Mapping[str, XmlElement], losses: Mapping[int, str]) -> dict[int, str]:
    """The elements that fail, by their ids, and why; ``losses`` are those that lack something."""
    found: dict[int, str] = {}
    failing_trees: dict[str, str] = {}
    while True:
        before = len(failing_trees)
        for name, tree in trees.items():
            for element, why in _failing_in(tree, None, losses, failing_trees):
                found.setdefault(id(element), why)
                failing_trees.setdefault(name, why)
        if len(failing_trees) == before:
            return found


def _failing_in(
    element: XmlElement,
    above: XmlElement | None,
    losses: Mapping[int, str],
    trees: Mapping[str, str],
) -> Iterator[tuple[XmlElement, str]]:
    if id(element) in losses:
        yield above or element, losses[id(element)]
    elif element.tag in SUBTREES and above is not None:
        name = decode_text(element.attributes.get("ID", ""))
        if name in trees:
            yield above, trees[name]
    if above is None and kind_of(element) not in _FAILS_WITH_ITS_CHILD:
        above = element
    for child in element.children:
        yield from _failing_in(child, above, losses, trees)
