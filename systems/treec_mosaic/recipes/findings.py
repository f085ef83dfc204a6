"""Findings about a recipe, by what its subtasks do to things: unprepared, repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from treec.files.entry import AnyEntry
from treec.files.tasks import RecipeFile
from treec.files.view import View, per_files
from treec.graph import reachable_and_or
from treec.team.knowledge import ANYTHING, knowledge_of
from treec_kitchen.graph_findings import FindingKind, GraphFinding
from treec_mosaic.recipes.link import Links
from treec_mosaic.recipes.subtask_reader import InterpretedSubtask, SubtaskReader

USE_UNPREPARED = FindingKind(
    "use_unprepared",
    None,
    "'{node}' uses {thing}, but does not wait for '{missing[0]}'",
    ("write '{missing[0]}' under its 'after', or '{node}' under that of '{missing[0]}'",),
    quotes=True,
)
SAME_UNORDERED = FindingKind(
    "same_unordered",
    None,
    "'{node}' is the same as '{other}', and neither waits",
    ("take one away, or let one wait for the other",),
    quotes=True,
)
SAME_AGAIN = FindingKind(
    "same_again",
    None,
    "'{node}' is the same as '{other}', which has done it",
    ("take one of them away",),
    quotes=True,
)


def links_of(view: View, entry: AnyEntry) -> Links:
    """How a recipe's subtasks are linked by things; cached for views with the same files."""
    return _all_links(view)(entry)


@per_files("agent", "domain", "reading", "recipe", "scene", "skill", "task")
def _all_links(view: View) -> Callable[[AnyEntry], Links]:
    """The links of recipes, which these kinds of files determine."""
    reader = SubtaskReader(knowledge_of(view))

    @cache
    def links(entry: AnyEntry) -> Links:
        model: RecipeFile = entry.model
        return Links(reader, model.subtasks)

    return links


def findings_of(
    links: Links, find: Callable[[Links], Iterable[GraphFinding]]
) -> tuple[GraphFinding, ...]:
    """What an analysis finds; nothing in a recipe that cannot be judged. Cached in the links."""
    if find not in links.kept:
        links.kept[find] = tuple(find(links)) if _can_be_judged(links) else ()
    return links.kept[find]


def _can_be_judged(links: Links) -> bool:
    """Whether a recipe has no cycle and no unknown words; other findings would only follow."""
    anybody = any(ANYTHING in agent.can for agent in links.reader.knowledge.agents.values())
    if len(reachable_and_or(links.after, {})) < len(links.after):
        return False
    return all(m.known or (m.task is None and anybody) for m in links.meanings.values())


def find_use_unprepared(links: Links) -> Iterator[GraphFinding]:
    """Things that one subtask changes and another brings to others, in no fixed order.

    The first has a goal about the thing alone (``cut(crate)``), the second one about it and where
    it goes (``loaded(crate, cart)``). Either may come first (a crate is washed and then loaded, or
    loaded and then tied down), but one of them must.
    """
    meanings = [m for m in links.meanings.values() if m.goal is not None and not m.goal.valued]
    for use in meanings:
        assert use.goal is not None
        for other in meanings:
            assert other.goal is not None
            changed = other.goal.of[1]
            if len(use.goal.of[1]) < 2 or changed != use.goal.of[1][:1]:
                continue
            if not links.are_ordered(use.id, other.id):
                yield USE_UNPREPARED.at(use.id, missing=(other.id, use.id), thing=changed[0])


def find_repeated(links: Links) -> Iterator[GraphFinding]:
    """Subtasks that are the same as another, where repeating it changes nothing."""
    seen: dict[tuple[str, tuple[str, ...]], list[InterpretedSubtask]] = {}
    for meaning in links.meanings.values():
        key = (meaning.task or meaning.words.casefold(), meaning.names)
        for other in seen.setdefault(key, []):
            if not links.are_ordered(other.id, meaning.id):
                kind = SAME_UNORDERED
            elif meaning.again or _undone(links, meaning) or _portions(links, meaning, other):
                continue
            else:
                kind = SAME_AGAIN
            yield kind.at(meaning.id, other.id, other=other.id)
            break
        seen[key].append(meaning)


def _portions(links: Links, *pair: InterpretedSubtask) -> bool:
    """Whether two subtasks have different amounts: half of the milk, and the rest of it."""
    amounts = [links.subtasks[one.id].amount for one in pair]
    return None not in amounts or amounts[0] != amounts[1]


def _undone(links: Links, one: InterpretedSubtask) -> bool:
    """Whether a third subtask sets what both of them set, such as putting away what is fetched."""
    return one.goal is None or any(
        m.goal is not None and m.goal.of == one.goal.of and m.goal.value != one.goal.value
        for m in links.meanings.values()
    )
