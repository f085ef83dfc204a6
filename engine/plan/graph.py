"""What comes before what: small questions about a task graph, given as id → ids it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Order:
    """Who waits for whom, directly or through others; edges can be added."""

    def __init__(self, after: Mapping[str, Iterable[str]]) -> None:
        self._after = {id: [b for b in before if b in after] for id, before in after.items()}
        self._before: dict[str, frozenset[str]] = {}

    def before(self, id: str) -> frozenset[str]:
        """All that must be done before a subtask; itself too if it stands in a circle."""
        known = self._before.get(id)
        if known is None:
            found: set[str] = set()
            waiting = list(self._after[id])
            while waiting:
                other = waiting.pop()
                if other not in found:
                    found.add(other)
                    waiting += self._after[other]
            known = self._before[id] = frozenset(found)
        return known

    def ordered(self, one: str, other: str) -> bool:
        """Whether one of two subtasks waits for the other."""
        return one in self.before(other) or other in self.before(one)

    def add(self, before: str, id: str) -> None:
        """Let a subtask wait for another."""
        self._after[id].append(before)
        self._before.clear()

    def sorted(self) -> list[str]:
        """The subtasks in an order in which each can be done; those in circles come last."""
        waits = {id: set(before) for id, before in self._after.items()}
        followers: dict[str, list[str]] = {}
        for id, before in waits.items():
            for other in before:
                followers.setdefault(other, []).append(id)
        ready = [id for id, before in waits.items() if not before]
        for id in ready:  # grows while it is read
            for follower in followers.get(id, ()):
                waits[follower].discard(id)
                if not waits[follower]:
                    ready.append(follower)
        done = set(ready)
        return [*ready, *(id for id in waits if id not in done)]


def never_begin(
    after: Mapping[str, Iterable[str]], after_any: Mapping[str, Iterable[str]]
) -> set[str]:
    """The subtasks that can never begin; one that waits for a name that is none never does."""
    waits = {id: set(before) for id, before in after.items()}
    needs_one = {id: bool(set(after_any.get(id, ()))) for id in after}
    followers: dict[str, list[str]] = {}
    for id, before in waits.items():
        for other in before.union(after_any.get(id, ())):
            followers.setdefault(other, []).append(id)
    can = {id for id in after if not waits[id] and not needs_one[id]}
    ready = list(can)
    for id in ready:  # grows while it is read
        for follower in followers.get(id, ()):
            waits[follower].discard(id)
            if id in after_any.get(follower, ()):
                needs_one[follower] = False
            if follower not in can and not waits[follower] and not needs_one[follower]:
                can.add(follower)
                ready.append(follower)
    return set(after) - can
