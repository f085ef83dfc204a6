"""The node classes of the files that ask a model."""

from __future__ import annotations

from typing import Any

from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.kinds import plan_form
from treec_asking.asking import AskingNode


def asking_classes() -> list[type[AskingNode[Any]]]:
    """The node classes of all kinds of files and forms of plans. Raises ExtensionError."""
    tables = registry()
    targets = [kind.asks for kind in tables.kinds.values()]
    targets += [form.asks for form in tables.plans.values()]
    return [_load(target) for target in targets if target]


def class_of(entry: AnyEntry) -> type[AskingNode[Any]]:
    """The node class of a file. Raises ExtensionError."""
    form = plan_form(entry)
    return _load(registry().kinds[entry.kind].asks if form is None else form.asks)


def _load(target: str) -> type[AskingNode[Any]]:
    return registry().load(target)  # type: ignore[return-value]
