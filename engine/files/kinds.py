"""The kinds of files, each with its model; extensions declare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.extensions import ExtensionError, registry
from treec.files.fields import Model


class _Models(Mapping[str, type[Model]]):
    """Every kind with its model, imported on first use."""

    def __getitem__(self, kind: str) -> type[Model]:
        tables = registry()
        target = tables.kinds[kind].model
        model = tables.load(target)
        if not (isinstance(model, type) and issubclass(model, Model)):
            raise ExtensionError(
                f"{tables.owner(target)}: {target} is not a treec.files.fields.Model"
            )
        if kind not in model.model_fields:
            raise ExtensionError(f"{tables.owner(target)}: {target} has no field '{kind}'")
        return model

    def __contains__(self, kind: object) -> bool:
        return kind in registry().kinds

    def __iter__(self) -> Iterator[str]:
        return iter(registry().kinds)

    def __len__(self) -> int:
        return len(registry().kinds)


MODELS: Mapping[str, type[Model]] = _Models()
"""Every kind, in the order in which pages and schemas list them.

A model that cannot be used raises ExtensionError.
"""


def prompts() -> tuple[str, ...]:
    """Return the kinds whose nodes ask, in reference order; their models subclass `Prompt`."""
    return tuple(kind.name for kind in registry().kinds.values() if kind.asks)


def behaviours() -> tuple[str, ...]:
    """Return the kinds that a decision's option may name; they share one namespace."""
    found = [kind for kind in registry().kinds.values() if kind.behaviour]
    return tuple(kind.name for kind in sorted(found, key=lambda kind: kind.behaviour))
