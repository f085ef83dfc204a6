"""Kinds of bodies by name: a kind is a module with a function ``build(**parameters) -> Body``."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from treec_sapien.bodies.materials import MATERIALS
from treec_sapien.bodies.spec import Body

COMMON = ("kind", "colour")
"""Keys that every `body:` accepts besides the parameters of its kind."""


class WrongBody(ValueError):
    """An invalid `body:`; ``key`` is the wrong key in it, ``help`` says what would be right."""

    def __init__(self, key: str, message: str, help: str) -> None:
        super().__init__(message)
        self.key = key
        self.help = help


def packages_of(bodies: str | Sequence[str]) -> tuple[str, ...]:
    """Return the packages to search for kinds, from a scene's `bodies:`."""
    return (bodies,) if isinstance(bodies, str) else tuple(bodies)


@lru_cache(maxsize=256)
def find(kind: str, packages: tuple[str, ...]) -> Callable[..., Body]:
    """Return the function that builds a kind, from the first package that has it."""
    if kind.isidentifier():
        for package in packages:
            name = f"{package}.{kind}"
            if importlib.util.find_spec(name) is None:
                continue
            try:
                build = getattr(importlib.import_module(name), "build", None)
            except Exception as error:  # a user's module may raise anything
                words = f"the kind '{kind}' cannot be imported: {type(error).__name__}: {error}"
                raise WrongBody("kind", words, f"see {name}") from error
            if callable(build):
                return build  # type: ignore[no-any-return]
    known = kinds(packages)
    raise WrongBody("kind", f"unknown kind '{kind}'", suggestion(kind, known, "kinds"))


def make(kind: str, options: Mapping[str, Any], packages: Sequence[str]) -> Body:
    """Build a body of a kind. Raises `WrongBody` for an unknown kind, parameter or wrong value."""
    build = find(kind, tuple(packages))
    known = parameters(build)
    for key in options:
        if key not in known:
            raise WrongBody(
                key,
                f"unknown parameter '{key}' of a {kind}",
                suggestion(key, known, "parameters"),
            )
    for key, default in known.items():
        if isinstance(default, bool) and not isinstance(options.get(key, default), bool):
            raise WrongBody(key, f"'{options[key]}' is not true or false", f"{key}: true")
    try:
        body = build(**options)
        _sound(body)
        return body
    except Exception as error:  # as its module
        signature = ", ".join(f"{key}: {_format(value)}" for key, value in known.items())
        raise WrongBody(
            "", f"cannot build this {kind}: {error}", f"signature: {signature}"
        ) from error


def _sound(body: Body) -> None:
    for joint in body.joints:
        if not joint.limits[0] < joint.limits[1] < 100.0:
            raise ValueError(f"its {joint.name} could not move")
    for link in body.links:
        if link.mass is not None and not 0.0 < link.mass < 1e4:
            raise ValueError(f"its {link.name} would have no mass")
        for shape in link.shapes:
            sizes: tuple[float, ...] = (shape.radius,)
            if shape.kind == "box":
                sizes = shape.half_size
            elif shape.kind == "cylinder":
                sizes = (shape.radius, shape.half_length)
            if not all(0.0 < size < 100.0 for size in sizes):
                raise ValueError(f"a {shape.kind} of its {link.name} would have no size")
            if shape.material not in MATERIALS:
                near = suggestion(str(shape.material), MATERIALS, "materials")
                raise ValueError(f"unknown material '{shape.material}'; {near}")


@lru_cache(maxsize=256)
def parameters(build: Callable[..., Body]) -> dict[str, Any]:
    """Return a kind's parameters and their defaults."""
    return {name: it.default for name, it in inspect.signature(build).parameters.items()}


def kinds(packages: Sequence[str]) -> list[str]:
    """Return the names of all kinds. Imports every module of the packages."""
    names = []
    for package in packages:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            if module.ispkg or module.name.startswith("_"):
                continue
            with contextlib.suppress(Exception):  # skip kinds that cannot be imported
                module_found = importlib.import_module(f"{package}.{module.name}")
                if callable(getattr(module_found, "build", None)):
                    names.append(module.name)
    return sorted(set(names))


def suggestion(word: str, known: Sequence[str] | Mapping[str, Any], what: str) -> str:
    """Return the most similar known word, or all of them."""
    near = get_close_matches(word, list(known), 1)
    return f"did you mean '{near[0]}'?" if near else f"{what}: {', '.join(known) or 'none'}"


def _format(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
