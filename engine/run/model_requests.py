"""What asking came to in a run, node by node: requests, tokens, cost, latency.

A request that a limit of the run has held back was sent to nobody: it is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treec.nodes.events import Answered

LIMITS = "treec.ask.limits"
"""The module that says so in the record of a request that was held back."""


@dataclass
class NodeRequests:
    """One node's requests. `dropped` ones were closed before an answer came, or wait still.

    `seconds` are those of the answers that say how long they took; `cost` is in US dollars, None
    while no answer has named a price.
    """

    asked: int = 0
    used: int = 0
    refused: int = 0
    failed: int = 0
    held_back: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: list[float] = field(default_factory=list)

    @property
    def dropped(self) -> int:
        """Requests that nothing came of."""
        return max(0, self.asked - self.used - self.refused - self.failed)

    @property
    def answers(self) -> int:
        """Requests to which an answer came, used or refused."""
        return self.used + self.refused

    @property
    def mean(self) -> float | None:
        """Seconds that an answer took on average."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else None

    @property
    def worst(self) -> float | None:
        """Seconds that the slowest answer took."""
        return max(self.seconds, default=None)

    def answered(self, event: Answered) -> None:
        """Count what came of a request."""
        if event.module == LIMITS:
            self.asked -= 1
            self.held_back += 1
        elif event.failed is not None:
            self.failed += 1
        elif event.refused is not None:
            self.refused += 1
        else:
            self.used += 1
        self.input_tokens += event.input_tokens or 0
        self.output_tokens += event.output_tokens or 0
        if event.cost is not None:
            self.cost = (self.cost or 0.0) + event.cost
        if event.seconds is not None:
            self.seconds.append(event.seconds)

    def data(self) -> dict[str, object]:
        """The counts as plain data."""
        return {
            "asked": self.asked,
            "used": self.used,
            "refused": self.refused,
            "failed": self.failed,
            "dropped": self.dropped,
            "held_back": self.held_back,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": None if self.cost is None else round(self.cost, 9),
            "seconds_mean": None if self.mean is None else round(self.mean, 6),
            "seconds_worst": None if self.worst is None else round(self.worst, 6),
        }


def total_requests(nodes: Mapping[str, NodeRequests]) -> NodeRequests:
    """All nodes as one."""
    whole = NodeRequests()
    for one in nodes.values():
        whole.asked += one.asked
        whole.used += one.used
        whole.refused += one.refused
        whole.failed += one.failed
        whole.held_back += one.held_back
        whole.input_tokens += one.input_tokens
        whole.output_tokens += one.output_tokens
        if one.cost is not None:
            whole.cost = (whole.cost or 0.0) + one.cost
        whole.seconds += one.seconds
    return whole
