"""Coordinates within the rows of a layered layout: straight long edges, no overlaps.

Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment" (2001): four extreme alignments
and the mean of their two median values. Blocks are compacted as a graph of minimum distances, to
allow for different widths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from treec_drawing.layered_order import Layers

Rows = list[list[int]]


def places(
    layers: Layers,
    half: Callable[[int], float],
    gap: Callable[[int, int], float],
    thin: Sequence[bool],
) -> list[float]:
    """The coordinate of the centre of each vertex along its row.

    ``half`` gives half the width of a vertex, ``gap`` the minimum distance between two neighbours,
    ``thin`` whether a vertex is a dummy on a long edge.
    """
    conflicts = _conflicts(layers, thin)
    count = len(layers.place)
    results: list[list[float]] = []
    for upwards in (False, True):
        for mirrored in (False, True):
            rows = layers.rows[::-1] if upwards else layers.rows
            rows = [row[::-1] for row in rows] if mirrored else rows
            neighbours = layers.down if upwards else layers.up
            root = _align(rows, neighbours, conflicts, count)
            found = _compact(rows, root, lambda a, b: half(a) + half(b) + gap(a, b))
            results.append([-value for value in found] if mirrored else found)
    spans = []
    for found in results:
        low = min(value - half(v) for v, value in enumerate(found))
        high = max(value + half(v) for v, value in enumerate(found))
        spans.append((high - low, low, high))
    narrowest = min(spans)
    for number, (found, span) in enumerate(zip(results, spans, strict=True)):
        end = 1 + number % 2  # left alignments meet at the left side, right ones at the right
        shift = narrowest[end] - span[end]
        results[number] = [value + shift for value in found]
    middle = [sorted(values)[1:3] for values in zip(*results, strict=True)]
    return [(a + b) / 2 for a, b in middle]


def _conflicts(layers: Layers, thin: Sequence[bool]) -> set[tuple[int, int]]:
    """Segments that cross the inner segment of a long edge, which takes precedence."""
    found: set[tuple[int, int]] = set()
    for upper, lower in zip(layers.rows, layers.rows[1:], strict=False):
        start, scanned = 0, 0
        for index, vertex in enumerate(lower):
            inner = next((u for u in layers.up[vertex] if thin[vertex] and thin[u]), None)
            if inner is None and index != len(lower) - 1:
                continue
            end = layers.place[inner] if inner is not None else len(upper) - 1
            while scanned <= index:
                crossing = lower[scanned]
                for other in layers.up[crossing]:
                    if not start <= layers.place[other] <= end and not (
                        thin[other] and thin[crossing]
                    ):
                        found.add((other, crossing))
                scanned += 1
            start = end
    return found


def _align(
    rows: Rows, neighbours: list[list[int]], conflicts: set[tuple[int, int]], count: int
) -> list[int]:
    """The root of each vertex's block; blocks are vertices aligned on a straight line."""
    root = list(range(count))
    taken = [False] * count
    where = [0] * count
    for row in rows:
        for index, vertex in enumerate(row):
            where[vertex] = index
    for row in rows:
        last = -1
        for vertex in row:
            others = sorted(neighbours[vertex], key=where.__getitem__)
            if not others:
                continue
            middle = (len(others) - 1) / 2
            for index in range(int(middle), int(middle + 0.5) + 1):
                other = others[index]
                if root[vertex] != vertex or taken[other] or where[other] <= last:
                    continue
                if (other, vertex) in conflicts or (vertex, other) in conflicts:
                    continue
                root[vertex] = root[other]
                taken[other] = True
                last = where[other]
    return root


def _compact(rows: Rows, root: list[int], distance: Callable[[int, int], float]) -> list[float]:
    """Move blocks as far left as possible, then right towards their neighbours."""
    after: dict[int, dict[int, float]] = {block: {} for block in root}
    waiting = dict.fromkeys(after, 0)
    for row in rows:
        for left, right in pairwise(row):
            a, b = root[left], root[right]
            if b not in after[a]:
                waiting[b] += 1
            after[a][b] = max(after[a].get(b, 0.0), distance(left, right))
    order = [block for block in after if not waiting[block]]
    at = dict.fromkeys(after, 0.0)
    for block in order:
        for other, least in after[block].items():
            at[other] = max(at[other], at[block] + least)
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    for block in reversed(order):
        if after[block]:
            at[block] = max(
                at[block], min(at[other] - least for other, least in after[block].items())
            )
    return [at[block] for block in root]
