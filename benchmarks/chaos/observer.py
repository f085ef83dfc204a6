"""Becomes the ``sitecustomize`` of a run: logs the orders of the symbolic environment.

Of systems that ship with treec the workers are treec's own; what they are told is then noted
here, beside the journal and without it.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

WATCHED = "treec.envs.symbolic"


class _Observer(importlib.abc.MetaPathFinder):
    """Wraps the workers of the symbolic environment once its module is imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the module as Python does, and execute it as here."""
        if name != WATCHED:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            _wrap(module)

        loader.exec_module = exec_module
        return spec


class _Host:
    """A host that notes how an order ends."""

    def __init__(self, host: Any, about: tuple[str, ...]) -> None:
        self._host, self._about = host, about

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def finish(self, order_id: str, outcome: Any) -> None:
        from rig import note

        note("finish" if outcome.ok else "failed", *self._about)
        self._host.finish(order_id, outcome)


def _wrap(module: Any) -> None:
    from rig import call, note

    begin, end = module.Effects.start, module.Effects.cancel

    def start(self: Any, order: Any, host: Any) -> None:
        words = "_".join([order.skill, *map(str, order.args.values())]).replace(" ", "_")
        self.about = (order.agent, order.id, words)
        call("start", *self.about)
        begin(self, order, _Host(host, self.about))

    def cancel(self: Any) -> Any:
        note("told", *self.about)
        return end(self)

    module.Effects.start, module.Effects.cancel = start, cancel


if "CHAOS" in os.environ:
    sys.meta_path.insert(0, _Observer())
