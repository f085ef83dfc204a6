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

from treec.envs.bodies.materials import MATERIALS
from treec.envs.bodies.spec import Body

COMMON = ("kind", "colour")
"""What every `body:` may say beside the parameters of its kind."""


class WrongBody(ValueError):
    """A `body:` that cannot be: ``key`` is what of it is wrong, ``help`` what would be right."""

    def __init__(self, key: str, message: str, help: str) -> None:
        super().__init__(message)
        self.key = key
        self.help = help


def packages_of(bodies: str | Sequence[str]) -> tuple[str, ...]:
    """The packages in which kinds are looked for, from what a scene's `bodies:` says."""
    return (bodies,) if isinstance(bodies, str) else tuple(bodies)


@lru_cache(maxsize=256)
def find(kind: str, packages: tuple[str, ...]) -> Callable[..., Body]:
    """The function that builds a kind, from the first of the packages that has it."""
    if kind.isidentifier():
        for package in packages:
            name = f"{package}.{kind}"
            if importlib.util.find_spec(name) is None:
                continue
            try:
                build = getattr(importlib.import_module(name), "build", None)
            except Exception as error:  # somebody's module may raise anything
                words = f"the kind '{kind}' cannot be imported: {type(error).__name__}: {error}"
                raise WrongBody("kind", words, f"look into {name}") from error
            if callable(build):
                return build  # type: ignore[no-any-return]
    known = kinds(packages)
    raise WrongBody("kind", f"there is no kind '{kind}'", suggestion(kind, known, "kinds"))


def make(kind: str, options: Mapping[str, Any], packages: Sequence[str]) -> Body:
    """A body of a kind; raises `WrongBody` for an unknown kind or parameter, or a wrong value."""
    build = find(kind, tuple(packages))
    known = parameters(build)
    for key in options:
        if key not in known:
            raise WrongBody(
                key,
                f"a {kind} has no parameter '{key}'",
                suggestion(key, known, "parameters"),
            )
    try:
        body = build(**options)
        _sound(body)
        return body
    except Exception as error:  # as its module
        signature = ", ".join(f"{key}: {_shown(value)}" for key, value in known.items())
        raise WrongBody(
            "", f"no {kind} can be built so: {error}", f"as a rule: {signature}"
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
                raise ValueError(f"there is no material '{shape.material}': {near}")


def parameters(build: Callable[..., Body]) -> dict[str, Any]:
    """A kind's parameters and their defaults."""
    return {name: it.default for name, it in inspect.signature(build).parameters.items()}


def kinds(packages: Sequence[str]) -> list[str]:
    """The names of all kinds. Imports every module of the packages."""
    found = []
    for package in packages:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            if module.ispkg or module.name.startswith("_"):
                continue
            with contextlib.suppress(Exception):  # a kind that cannot be imported is no help
                made = importlib.import_module(f"{package}.{module.name}")
                if callable(getattr(made, "build", None)):
                    found.append(module.name)
    return sorted(set(found))


def suggestion(word: str, known: Sequence[str] | Mapping[str, Any], what: str) -> str:
    """The nearest known word, or all of them."""
    near = get_close_matches(word, list(known), 1)
    return f"did you mean '{near[0]}'?" if near else f"{what}: {', '.join(known)}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
