"""Policies by name: treec's own, or folders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from treec.files.modules import package_folder
from treec.source.diagnostics import suggestion
from treec_learning.policy import POLICY, Policy, PolicyError, load_policy


def shipped() -> list[str]:
    """Return the names of the policies that treec brings."""
    folder = _folder()
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if (path / POLICY).is_file())


def find(name: str, root: Path) -> Path:
    """Return the folder of a policy: a path, below the library's root, or treec's by its name.

    Raises PolicyError.
    """
    for folder in (Path(name), root / name, root / "policies" / name, _folder() / name):
        if (folder / POLICY).is_file():
            return folder
    help = suggestion(name, shipped(), "policies of treec, beside folders of trained ones")
    raise PolicyError(f"unknown policy '{name}'; {help}")


@cache
def learned_skills() -> Mapping[str, str]:
    """Return the skills that a policy of treec's moves the hand for, and its name."""
    by_skill: dict[str, str] = {}
    for name in shipped():
        policy = load_shipped(name)
        if policy.is_of_hands:
            spec = policy.made["learning"]
            by_skill.update(dict.fromkeys((spec["skill"], *spec.get("serves", ())), name))
    return by_skill


def load_shipped(name: str) -> Policy:
    """Load one of treec's policies. Raises PolicyError."""
    return load(_folder() / name)


def load(folder: Path) -> Policy:
    """Load a policy from its folder. Raises PolicyError."""
    return load_policy(folder / POLICY)


def _folder() -> Path:
    return package_folder("treec_learning_weights") or Path("treec_learning_weights")
