"""The reward and learning files that treec brings."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import yaml

from treec.learning.files import LearningFile, RewardFile


@cache
def reward_files() -> dict[str, RewardFile]:
    """Return treec's rewards by name."""
    found: dict[str, RewardFile] = {}
    for file in files("treec.learning").joinpath("rewards").iterdir():
        if file.name.endswith(".reward.yaml"):
            for document in yaml.safe_load_all(file.read_text("utf-8")):
                model = RewardFile.model_validate(document)
                found[model.reward] = model
    return found


def reward_file(name: str) -> RewardFile:
    """Return one of treec's rewards. Raises ValueError for an unknown one."""
    known = reward_files()
    if name not in known:
        raise ValueError(f"unknown reward '{name}': {', '.join(sorted(known))}")
    return known[name]


@cache
def learning_files() -> dict[str, LearningFile]:
    """Return treec's learning files by name."""
    found: dict[str, LearningFile] = {}
    for file in files("treec.learning").joinpath("experiments").iterdir():
        if file.name.endswith(".learning.yaml"):
            for document in yaml.safe_load_all(file.read_text("utf-8")):
                model = LearningFile.model_validate(document)
                found[model.learning] = model
    return found


def read_learning(path: Path) -> LearningFile:
    """Read a file with one learning in it. Raises ValueError, and OSError."""
    try:
        documents = list(yaml.safe_load_all(path.read_text("utf-8")))
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    if len(documents) != 1:
        raise ValueError(f"expected one learning file, found {len(documents)} documents")
    return LearningFile.model_validate(documents[0])
