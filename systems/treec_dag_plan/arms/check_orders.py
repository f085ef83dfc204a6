"""Simulate a graph's nodes one after the other, in every order that its edges allow.

Nodes wait for their predecessors and for arms. A hold keeps its arms; other nodes get the first
free arms. States with the same finished nodes and facts are visited once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from treec.frozen import frozen
from treec.graph import topological_order
from treec_dag_plan.arms.bit_graph import reachable_bits
from treec_dag_plan.arms.commands import CommandMeaning
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.pairs import Pair, find_pairs
from treec_dag_plan.arms.world import ArmWorld, GroundAction
from treec_dag_plan.arms.world_logic import FactValue, Key

MOST_STEPS = 15_000
"""Maximum number of simulated sub-tasks in a search; fewer if there are many facts."""

Facts = dict[Key, FactValue]
Progress = Callable[[int, int], None]


@frozen
class SearchState:
    """Finished nodes (bits), facts, the arms of each open hold, and the previous state."""

    done: int
    facts: Facts
    held: Mapping[int, tuple[str, ...]]
    last: int = -1
    earlier: SearchState | None = None

    def order(self) -> list[int]:
        """The nodes in the order in which they were done."""
        found: list[int] = []
        here: SearchState | None = self
        while here is not None and here.earlier is not None:
            found.append(here.last)
            here = here.earlier
        return found[::-1]


@frozen
class OrderConflict:
    """A node that its edges allow after an order although it is impossible then."""

    node: int
    after: SearchState
    action: GroundAction


@dataclass
class OrderSearch:
    """The result of a search over orders: the shortest order of each kind."""

    refused: dict[int, OrderConflict]
    missed: SearchState | None = None
    reached: SearchState | None = None
    steps: int = 0
    cut: bool = False
    ends: float = 0.0
    """How many orders end, and below how many of them miss the goal."""
    misses: float = 0.0

    @property
    def good(self) -> bool:
        """Whether nothing was refused and every end reached the goal."""
        return not self.refused and self.missed is None and self.reached is not None


class Orders:
    """The orders of one graph in one world; the graph's pairs must be valid."""

    def __init__(
        self, graph: TaskGraph, world: ArmWorld, meanings: Mapping[str, CommandMeaning]
    ) -> None:
        self.world = world
        self.nodes = tuple(graph.work())
        number = {node.id: place for place, node in enumerate(self.nodes)}
        self.meant = [meanings[node.id] for node in self.nodes]
        self.before = [sum(1 << number[b] for b in set(n.after) if b in number) for n in self.nodes]
        self.next: list[list[int]] = [
            [number[o] for o in graph.next[n.id] if o in number] for n in self.nodes
        ]
        self.whole = (1 << len(self.nodes)) - 1
        self.hold: list[int | None] = [None] * len(self.nodes)
        self.pairs: tuple[Pair, ...] = find_pairs(graph)[0]
        for place, pair in enumerate(self.pairs):
            for id in pair.members:
                self.hold[number[id]] = place
        self.order = [number[id] for id in topological_order(graph.next) if id in number]
        self.misfits: dict[tuple[int, str], str] = {}
        self.can = None if world.alike else self._suited()

    def plus(self, edges: Iterable[tuple[int, int]]) -> Orders:
        """Return the orders that further edges (first, then) leave."""
        found = copy(self)
        for name in ("_wait_counts", "_takers", "_before_release"):
            found.__dict__.pop(name, None)
        found.before, found.next = list(self.before), [list(nodes) for nodes in self.next]
        for first, then in edges:
            found.before[then] |= 1 << first
            found.next[first].append(then)
        return found

    def examine(self, steps: int, progress: Progress | None = None) -> OrderSearch:
        """Search all orders; if there are too many, probe some more, for at most `steps`."""
        search = self.search()
        if search.cut:
            self.probe(search, steps, progress)
        return search

    def first(self) -> SearchState:
        """Return the initial state."""
        return SearchState(0, dict(self.world.start), {})

    def ready(self, moment: SearchState, before: list[int] | None = None) -> Iterator[int]:
        """Yield the unfinished nodes whose predecessors are finished."""
        for node, waits in enumerate(before or self.before):
            if not moment.done >> node & 1 and waits & ~moment.done == 0:
                yield node

    def action(self, node: int, moment: SearchState) -> GroundAction | None:
        """Return a node's action with its arms; None if too few arms are free."""
        return next(iter(self.actions(node, moment)), None)

    def actions(self, node: int, moment: SearchState) -> list[GroundAction]:
        """Return a node's action with each choice of free arms that matters.

        If no arms suit in this state, even busy ones, the first that suit in another.
        """
        kind, needed = self.nodes[node].type, self.nodes[node].arms
        own: tuple[str, ...] = ()
        hold = self.hold[node]
        if hold is not None and kind != "occupy":
            own = moment.held.get(hold, ())[:needed]
        if len(own) < needed:
            busy = {arm for arms in moment.held.values() for arm in arms}
            free = [arm for arm in self.world.arms if arm not in busy]
            if self.can is not None:
                free = [arm for arm in free if arm in self.can[node]]
            choices: Iterable[tuple[str, ...]] = combinations(free, needed - len(own))
            if self.can is None:
                choices = islice(choices, 1)
            found = [self.meant[node].action(self.world, (*own, *arms)) for arms in choices]
        else:
            found = [self.meant[node].action(self.world, own)]
        if self.can is None:
            return found
        suited = [action for action in found if self._suit(action, moment.facts)]
        if suited or len(own) == needed or not found:
            return suited or found
        able = combinations([arm for arm in self.world.arms if arm in self.can[node]], needed)
        later = (self.meant[node].action(self.world, arms) for arms in able)
        return [] if any(self._suit(action, moment.facts) for action in later) else found[:1]

    def _suit(self, action: GroundAction, facts: Facts) -> bool:
        return self.world.lack(action.skill, action.arms) is None and action.suits(facts)

    def _suited(self) -> list[frozenset[str]]:
        """Node → the arms that can do it, and what belongs to the hold that it begins."""
        facts = dict(self.world.start)
        can = [frozenset[str]()] * len(self.nodes)
        for node in self.order:
            count = len(self.meant[node].skill.arms)
            actions = [
                self.meant[node].action(self.world, arms)
                for arms in combinations(self.world.arms, count)
            ]
            suited = [action for action in actions if self._suit(action, facts)]
            if not suited and count == 1:
                for action in actions:
                    self.misfits[node, action.arms[0]] = self.world.misfit(action, facts) or ""
            can[node] = frozenset(arm for action in suited for arm in action.arms)
            for action in (suited or actions)[:1]:
                action.change(facts)
        self.alone = list(can)
        for node, hold in enumerate(self.hold):
            if hold is not None and self.nodes[node].type == "occupy":
                for other, own in enumerate(self.hold):
                    if own == hold:
                        can[node] &= self.alone[other]
        return can

    def do(self, node: int, action: GroundAction, moment: SearchState) -> SearchState:
        """Return the state after a node, whether or not its conditions hold."""
        held = dict(moment.held)
        self._hold(node, action, held)
        done = moment.done | 1 << node
        return SearchState(done, action.apply(moment.facts), held, node, moment)

    def _hold(self, node: int, action: GroundAction, held: dict[int, tuple[str, ...]]) -> None:
        hold = self.hold[node]
        if hold is not None and self.nodes[node].type == "occupy":
            held[hold] = action.arms
        elif hold is not None and self.nodes[node].type == "release":
            held.pop(hold, None)

    def search(self, before: list[int] | None = None, most: int = MOST_STEPS) -> OrderSearch:
        """Search all orders breadth first, for at most `most` steps."""
        found = OrderSearch({})
        cost = 1 + len(self.world.start) // 100
        layer = [self.first()]
        orders = [1.0]  # that lead to each state of the layer
        while layer:
            following: list[SearchState] = []
            ways: list[float] = []
            places: dict[tuple[int, frozenset[tuple[Key, FactValue]]], int] = {}
            for moment, count in zip(layer, orders, strict=True):
                if found.steps > most:
                    found.cut = True
                    return found
                if moment.done == self.whole:
                    self._judge_end(moment, found, count)
                    continue
                for node in self.ready(moment, before):
                    actions = self.actions(node, moment)
                    if not actions:
                        continue
                    if cost > 1 and found.steps > most:  # a wide moment alone has too much to do
                        found.cut = True
                        return found
                    found.steps += cost
                    allowed = [action for action in actions if action.allowed(moment.facts)]
                    if not allowed:
                        found.refused.setdefault(node, OrderConflict(node, moment, actions[0]))
                    for action in allowed:
                        after = self.do(node, action, moment)
                        key = (after.done, frozenset(after.facts.items()))
                        place = places.setdefault(key, len(following))
                        if place == len(following):
                            following.append(after)
                            ways.append(0.0)
                        ways[place] += count
            layer, orders = following, ways
        return found

    def probe(self, found: OrderSearch, steps: int, progress: Progress | None = None) -> None:
        """Complement a search that was cut: do each node as early, then as late as possible.

        `progress` hears how many of how many steps are behind.
        """
        most = steps
        for node in range(len(self.nodes)):
            if progress is not None:
                progress(most - steps, most)
            steps -= self._run(found, reachable_bits(self.before, node) | 1 << node, None)
            if steps <= 0:
                return
        for node in range(len(self.nodes)):
            if progress is not None:
                progress(most - steps, most)
            steps -= self._run(found, self.whole, node)
            if steps <= 0:
                return

    def _run(self, found: OrderSearch, wanted: int, last: int | None) -> int:
        """Do the wanted nodes in some order, `last` at the end; return the number of steps."""
        facts, held, order = dict(self.world.start), dict[int, tuple[str, ...]](), list[int]()
        moment = SearchState(0, facts, held)
        waiting = list(self._wait_counts)
        if last is not None:
            waiting[last] = len(self.nodes) + 1
        left = {node: (self.before[node] & wanted).bit_count() for node in _bits(wanted)}
        ready = [node for node, count in left.items() if not count]
        while ready:
            ready.sort(key=waiting.__getitem__)
            for node in ready:
                action = self.action(node, moment)
                if action is not None:
                    break
            else:
                return len(order)  # all arms hold something: no order that arms can do
            ready.remove(node)
            if not action.allowed(facts):
                found.refused.setdefault(node, OrderConflict(node, _moment(order, facts), action))
                return len(order)
            action.change(facts)
            self._hold(node, action, held)
            order.append(node)
            for taker in self._takers[node]:
                waiting[taker] -= 1
            for other in self.next[node]:
                if other in left:
                    left[other] -= 1
                    if not left[other]:
                        ready.append(other)
        if len(order) == len(self.nodes):
            self._judge_end(_moment(order, facts), found)
        return len(order)

    @cached_property
    def _wait_counts(self) -> list[int]:
        """Node → how many nodes it keeps its arm for; used to avoid orders that run out of arms."""
        found = [0] * len(self.nodes)
        for node, hold in enumerate(self.hold):
            if hold is not None and self.nodes[node].type == "occupy":
                found[node] = self._before_release[hold].bit_count()
        return found

    @cached_property
    def _takers(self) -> list[list[int]]:
        """Node → the occupy nodes whose release waits for it."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node, hold in enumerate(self.hold):
            if hold is not None and self.nodes[node].type == "occupy":
                for other in _bits(self._before_release[hold]):
                    found[other].append(node)
        return found

    @cached_property
    def _before_release(self) -> list[int]:
        """Hold → the predecessors of its release, as bits."""
        number = {node.id: place for place, node in enumerate(self.nodes)}
        return [reachable_bits(self.before, number[pair.release]) for pair in self.pairs]

    def above(self) -> list[int]:
        """Node → all of its predecessors, as bits."""
        return [reachable_bits(self.before, node) for node in range(len(self.nodes))]

    def replay(self, order: Iterable[int]) -> SearchState | None:
        """Return the state after these nodes alone; None if one is impossible."""
        moment = self.first()
        for node in order:
            action = self.action(node, moment)
            if action is None or not action.allowed(moment.facts):
                return None
            moment = self.do(node, action, moment)
        return moment

    def written(self) -> list[int] | None:
        """The order that follows that of writing where edges allow; None if it is not good."""
        moment, order = self.first(), list[int]()
        while moment.done != self.whole:
            for node in self.ready(moment):
                action = self.action(node, moment)
                if action is not None and action.allowed(moment.facts):
                    moment = self.do(node, action, moment)
                    order.append(node)
                    break
            else:
                return None
        return order if self.world.is_goal(moment.facts) else None

    def _judge_end(self, moment: SearchState, found: OrderSearch, count: float = 1.0) -> None:
        found.ends += count
        if self.world.is_goal(moment.facts):
            found.reached = found.reached or moment
        else:
            found.misses += count
            found.missed = found.missed or moment


def _bits(found: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    if found.bit_count() * 8 < found.bit_length():
        while found:
            low = found & -found
            yield low.bit_length() - 1
            found ^= low
        return
    for number, bit in enumerate(reversed(f"{found:b}")):
        if bit == "1":
            yield number


def _moment(order: list[int], facts: Facts) -> SearchState:
    """Return the state after an order that was simulated in place."""
    here = SearchState(0, {}, {})
    for node in order:
        here = SearchState(here.done | 1 << node, {}, {}, node, here)
    return SearchState(here.done, dict(facts), {}, here.last, here.earlier)
