"""What cameras refuse, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support import golden
from treec_perception.files import CameraFile
from treec_perception.frustum import Frustum
from treec_perception.sources import _place

ON_R1 = CameraFile.model_validate(
    {"camera": "eye", "about": "A.", "mounted": {"agent": "R1", "link": "head"}}
)


class Nobody:
    """A stage without robots."""

    def link_pose(self, agent: str, link: str) -> Any:
        raise KeyError(f"{link} of {agent}")


TOLD: dict[str, Callable[[], object]] = {
    "ValueError: the camera has no fixed pose": lambda: Frustum.of(ON_R1),
    (
        "NoPicture: the camera 'eye' is on head of R1: the environment does not tell"
        " where that is (link_pose)"
    ): lambda: _place(ON_R1, None),
    "NoPicture: the camera 'eye': no pose of head of R1": lambda: _place(ON_R1, Nobody()),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
