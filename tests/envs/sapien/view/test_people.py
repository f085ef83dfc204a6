"""People as cameras see them: a face ahead, hair behind, skin where the joints are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.envs.sapien.person.people import kitchen_with, person
from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.environment import SapienKitchen
from treec_sapien.person.person import Person
from treec_sapien.view.camera import Camera
from treec_sapien.view.people import HAIR, WHITE
from treec_sapien.view.rays import RayView
from treec_sapien.view.scene import SceneView
from treec_sapien.view.solids import SolidStage, StageSolid, as_array


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SapienKitchen]:
    made = kitchen_with({"user": person(tmp_path_factory.mktemp("motion"))})
    yield made
    made.close()


def _ahead(user: Person) -> np.ndarray:
    """The direction that the person faces, level."""
    left = user.joints(0.0)[1] - user.joints(0.0)[2]
    ahead = np.array((left[1], -left[0], 0.0))
    return np.asarray(ahead / np.linalg.norm(ahead))


def _share(picture: np.ndarray, colour: tuple[float, ...], mask: np.ndarray) -> float:
    """Share of what is masked that has about this colour, whatever the light."""
    seen = picture[mask].astype(float)
    wanted = np.array(colour[:3])
    along = seen @ wanted / (np.linalg.norm(seen, axis=1) * np.linalg.norm(wanted) + 1e-9)
    bright = seen.max(axis=1) / 255 > 0.6 * wanted.max()
    return float(((along > 0.997) & bright).mean())


def test_the_face_is_ahead_and_hair_behind(kitchen: SapienKitchen) -> None:
    user = kitchen.people["user"]
    head = user.joints(0.0)[0] + (0.0, 0.0, 0.2)
    view = SceneView(kitchen)
    shares = {}
    for name, side in (("ahead", 1.0), ("behind", -1.0)):
        eye = head + side * 0.9 * _ahead(user)
        camera = Camera.looking(eye, head, (96, 72), 25.0)
        image = view.picture(camera, smooth=False)
        assert image.rgb is not None
        mask = image.mask("user")
        shares[name] = (_share(image.rgb, WHITE, mask), float((_dark(image.rgb) & mask).mean()))
    assert shares["ahead"][0] > 0.002
    assert shares["behind"][0] == 0.0
    assert shares["behind"][1] > 2 * shares["ahead"][1]


def _dark(picture: np.ndarray) -> np.ndarray:
    return np.asarray(picture.max(axis=2) < 255 * 1.3 * max(HAIR[:3]))


def test_skin_is_some_centimetres_before_the_joints(kitchen: SapienKitchen) -> None:
    user = kitchen.people["user"]
    joints = user.joints(0.0)
    eye = joints[0] + 1.5 * _ahead(user) + (0.0, 0.0, 0.2)
    camera = Camera.looking(eye, joints[0] - (0.0, 0.0, 0.2), (160, 120))
    image = SceneView(kitchen).depth_and_segmentation(camera)
    for joint in joints[[1, 2]]:
        x, y, far = camera.pixels(joint)
        assert image.mask("user")[int(y), int(x)]
        assert 0.02 < far - image.depth[int(y), int(x)] < 0.08


def test_an_ellipsoid_is_a_ball_that_is_stretched() -> None:
    half = (0.3, 0.2, 0.1)
    tilted = Pose((0.1, 0.0, 0.5), turn((0.0, 0.0, 1.0), 30.0))
    one = SolidStage(
        (("floor", "floor"), ("egg", "body")),
        (
            StageSolid("plane", 0, (0.5, 0.5, 0.5, 1.0)),
            StageSolid("ellipsoid", 1, (0.9, 0.2, 0.2, 1.0), tilted, half),
        ),
    )
    camera = Camera.looking((1.2, 0.8, 0.9), (0.1, 0.0, 0.5), (64, 48))
    view = RayView(one)
    image = view.picture(camera, as_array([Pose(), Pose()]), smooth=False)
    mask = image.mask("egg")
    rows, columns = np.nonzero(mask)
    rays = camera.towards(columns + 0.5, rows + 0.5)
    hit = camera.eye + rays * image.depth[mask][:, None]
    own = np.array([tilted.inverse().apply(tuple(point)) for point in hit])
    assert len(own) > 100
    assert np.linalg.norm(own / half, axis=1) == pytest.approx(1.0, abs=1e-3)
    assert image.rgb is not None
    lit = image.rgb[mask].max(axis=1)
    assert lit.max() - lit.min() > 40  # the light comes from one side: it has normals
