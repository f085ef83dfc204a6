"""The reward and learning files that treec brings."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import yaml

from treec.files.fields import Model
from treec_learning.files import LearningFile, RewardFile

M = TypeVar("M", bound=Model)


@cache
def reward_files() -> dict[str, RewardFile]:
    """Return treec's rewards by name."""
    return {model.reward: model for model in _models("rewards", "reward", RewardFile)}


def reward_file(name: str | RewardFile) -> RewardFile:
    """Return one of treec's rewards by its name, or a file as it is.

    Raises ValueError for an unknown name.
    """
    if isinstance(name, RewardFile):
        return name
    known = reward_files()
    if name not in known:
        raise ValueError(f"unknown reward '{name}': {', '.join(sorted(known))}")
    return known[name]


@cache
def learning_files() -> dict[str, LearningFile]:
    """Return treec's learning files by name."""
    return {model.learning: model for model in _models("experiments", "learning", LearningFile)}


def _models(folder: str, kind: str, model: type[M]) -> list[M]:
    """Every document of a kind in one of our folders."""
    return [
        model.model_validate(document)
        for file in files("treec_learning").joinpath(folder).iterdir()
        if file.name.endswith(f".{kind}.yaml")
        for document in yaml.safe_load_all(file.read_text("utf-8"))
    ]


def read_learning(path: Path) -> LearningFile:
    """Read a file with one learning in it. Raises ValueError, and OSError."""
    try:
        documents = list(yaml.safe_load_all(path.read_text("utf-8")))
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    if len(documents) != 1:
        raise ValueError(f"expected one learning file, found {len(documents)} documents")
    return LearningFile.model_validate(documents[0])
