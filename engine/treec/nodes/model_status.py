"""Whether the models of a run answer; the journal has each loss, each return, and long waits."""

from __future__ import annotations

from treec.ask.held_back import __name__ as HELD_BACK
from treec.nodes.events import ModelBack, ModelLost, ModelSlow
from treec.world.clock import Clock, RealClock, Timer
from treec.world.events import Event
from treec.world.world import World

SLOW = 5.0
"""Real seconds of waiting for a model after which people are told."""


class ModelStatus:
    """The models that did not answer the last time, by name; '' is the run's own."""

    def __init__(self, world: World, clock: Clock) -> None:
        self._world = world
        self._clock = clock
        self._lost: dict[str, str] = {}
        """Model → the module of the reason."""
        self._is_slow = False

    def recall(self, event: Event) -> None:
        """Know again from an earlier event whether a model was lost, in a resumed run."""
        if isinstance(event, ModelLost):
            self._lost[event.model] = event.module
        elif isinstance(event, ModelBack):
            self._lost.pop(event.model, None)

    def record_loss(self, model: str, reason: str, module: str) -> None:
        """Record that no answer came: once, until one comes or the reason has another module.

        ``model`` is '' for the run's.
        """
        known = self._lost.get(model)
        if known != module and not (known and module == HELD_BACK):
            self._lost[model] = module
            self._world.emit(ModelLost(reason, module, model), "model")

    def call_if_slow(self, path: str) -> Timer | None:
        """In real time, record that a node has waited for a model for long: once until it answers.

        Returns the timer, to be cancelled when the answer comes.
        """
        clock = self._clock
        if not isinstance(clock, RealClock) or self._is_slow:
            return None
        return clock.call_at(clock.now() + SLOW, lambda: self._record_slow(path))

    def _record_slow(self, path: str) -> None:
        if not self._is_slow:
            self._is_slow = True
            self._world.emit(ModelSlow(path, SLOW), "model")

    def is_lost(self, model: str) -> bool:
        """Whether no answer of a model came the last time."""
        return model in self._lost

    def record_return(self, model: str) -> None:
        """Record that an answer came, if none had come before."""
        self._is_slow = False
        if self._lost.pop(model, None) is not None:
            self._world.emit(ModelBack(model), "model")
