"""The pantry with physics as a gymnasium environment, `treec/StretchPantryPhysics-v0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from treec_learning.actions import discrete_action, no_pictures
from treec_learning.files import RewardFile
from treec_learning.names import start_shares
from treec_learning.pantry.environment import Seen, spaces_of
from treec_learning.pantry.simulator import ACTIONS, LIMIT, MOST, TOUCHES, StepResult
from treec_learning.pantry.state import THING, PantryState
from treec_learning.reward import Reward
from treec_learning.sapien import reach
from treec_learning.sapien.episode import PhysicalEpisode
from treec_learning.sapien.scene import THING as THE_THING
from treec_learning.sapien.scene import draw_scene
from treec_learning.shipped import reward_file


class StretchPantryPhysics(gymnasium.Env[Seen, np.int64]):
    """Stretch's gripper reaches for a thing in the kitchen's pantry in SAPIEN.

    Actions, observations, rewards and ends are those of
    `treec_learning.pantry.environment.StretchPantry`, and a step takes as long as the robot needs
    for it (0.4 s). Contacts are those of physics: with another thing, with the pantry, or with the
    thing itself where it is pushed away.

    Args:
        reward: name of one of treec's reward files, or a `RewardFile`.
        starts: shares of the starts that episodes are drawn from.
        observation: difference (the paper's), or joints.
        ends_on_touch: whether a contact ends the episode.
        guarded: whether an action that would touch something by the planner's collision model is
            not executed.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as gymnasium declares it

    def __init__(
        self,
        reward: str | RewardFile = "reach",
        starts: Mapping[str, float] | None = None,
        observation: str = "joints",
        ends_on_touch: bool = True,
        guarded: bool = False,
        render_mode: str | None = None,
    ) -> None:
        no_pictures(render_mode)
        self._file = reward_file(reward)
        self._starts = start_shares(starts)
        self._observation = observation
        self._ends_on_touch, self._guarded = ends_on_touch, guarded
        self.observation_space, self.action_space = spaces_of(observation)
        self._episode: PhysicalEpisode | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode; the same seed begins the same one."""
        super().reset(seed=seed)
        self.close()
        scene = draw_scene(self.np_random, self._starts)
        episode = self._episode = PhysicalEpisode(scene)
        self._reward = Reward(self._file, dict.fromkeys(self._file.args, THING), ("right",))
        self._reward.begin({"right": PantryState(episode.reach.picture())})
        return episode.reach.seen(self._observation), {"start": scene.start}

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Move a joint; ``info`` has the distance (m), success, and what was touched or None.

        With it come ``contacts``, all that was touched so far, by number.
        """
        episode = self._episode
        assert episode is not None, "reset comes first"
        before = episode.touched.copy()
        refused = episode.step(discrete_action(action, len(ACTIONS)), guarded=self._guarded)
        anew = episode.touched - before
        touched = next(iter(anew), None) or (None if refused == reach.LIMIT else refused)
        picture = episode.reach.picture()
        result = StepResult(
            picture.distance, picture.reached, np.array([_number(refused, touched)])
        )
        reward = self._reward({"right": PantryState(picture, result)}, episode.steps).value
        done = bool(picture.reached[0]) and not episode.touched
        ended = done or bool(episode.touched and self._ends_on_touch)
        info = {
            "distance": float(picture.distance[0]),
            "is_success": done,
            "touched": touched,
            "contacts": dict(episode.touched),
        }
        cut = episode.steps >= MOST and not ended
        seen = episode.reach.seen(self._observation)
        return seen, float(np.asarray(reward).ravel()[0]), ended, cut, info

    def close(self) -> None:
        """Release the scene."""
        if self._episode is not None:
            self._episode.kitchen.close()
            self._episode = None


def _number(refused: str | None, touched: str | None) -> int:
    """What refused an action, as the kinematic pantry numbers it; -1 for nothing.

    What was touched in physics has no number there: all but the thing count as one.
    """
    if touched is not None:
        return TOUCHES.index("thing" if touched == THE_THING else "front")
    return LIMIT if refused is not None else -1
