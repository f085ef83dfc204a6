"""Pictures of simulated cameras: frames, depth, segmentation, cameras on robots."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tests.perception.support import OVERHEAD, Carried, camera, kitchen, stage
from treec_perception.files import CameraFile
from treec_perception.picture import PictureError, load_picture
from treec_perception.simulated import SimulatedCamera, camera_pose, resized
from treec_sapien.bodies.pose import Pose, yaw


def test_depth_back_projects_into_the_thing() -> None:
    picture = camera().take(0)
    points = picture.points()[picture.mask("milk")]
    assert len(points) > 200
    low, high = points.min(axis=0), points.max(axis=0)
    assert np.allclose(low, (0.265, 0.065, 0.75), atol=0.02)
    assert high[2] == pytest.approx(0.95, abs=0.003)
    assert (abs(points[:, :2] - (0.3, 0.1)) < 0.036).all()


def test_a_thing_in_the_middle_is_in_the_middle_of_the_picture() -> None:
    aimed = camera(pose={"eye": [0.0, -0.9, 1.6], "looks_at": [0.3, 0.1, 0.85]}).take(0)
    y, x = np.nonzero(aimed.mask("milk"))
    assert (x.mean(), y.mean()) == pytest.approx((160, 120), abs=6)


def test_noise_is_seeded_and_leaves_colour_alone() -> None:
    noisy = camera(noise={})
    one, same, other = noisy.take(1), noisy.take(1), noisy.take(2)
    assert one.digest == same.digest != other.digest
    assert (one.colour == other.colour).all()
    assert one.depth is not None
    assert (one.depth == 0).any()


def test_a_picture_is_stored_and_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    picture = camera(noise={}).take(3, time=1.5)
    picture.save(tmp_path / "one.npz")
    again = load_picture(tmp_path / "one.npz")
    assert again.digest == picture.digest
    assert (again.camera, again.time, again.name) == (picture.camera, 1.5, "overhead")


def test_what_is_no_picture_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    whole = camera(noise={}).take(3)
    whole.save(tmp_path / "whole.npz")
    saved = dict(np.load(tmp_path / "whole.npz"))
    np.savez(tmp_path / "other.npz", a=1)
    np.savez(tmp_path / "grey.npz", **{**saved, "colour": saved["colour"][..., 0]})
    np.savez(tmp_path / "depth.npz", **{**saved, "depth": saved["depth"][1:]})
    np.savez(tmp_path / "timeless.npz", **{k: it for k, it in saved.items() if k != "time"})
    np.savez(tmp_path / "pose.npz", **{**saved, "pose": np.zeros(2)})
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    (tmp_path / "empty.npz").touch()
    (tmp_path / "torn.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:200])
    (tmp_path / "words.png").write_text("no image", "utf-8")
    Image.fromarray(whole.colour).save(tmp_path / "whole.png")
    (tmp_path / "torn.png").write_bytes((tmp_path / "whole.png").read_bytes()[:200])
    names = [it.name for it in tmp_path.iterdir() if "whole" not in it.name]
    assert len(names) == 10
    for name in (*names, "nowhere.png", "nowhere.npz"):
        with pytest.raises(PictureError, match=name):
            load_picture(tmp_path / name)


def test_a_robot_without_sapien_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treec_sapien.view.start_picture.find_spec", lambda name: None)
    with pytest.raises(KeyError, match="robots, as that of R, need the extra 'sapien'"):
        stage().link_pose("R", "mast")


def carried(**mount: object) -> CameraFile:
    spec = {key: value for key, value in OVERHEAD.items() if key != "pose"}
    return CameraFile.model_validate({**spec, "mounted": {"agent": "R", "link": "mast", **mount}})


def axes(spec: CameraFile, link: Pose) -> list[list[float]]:
    pose = camera_pose(spec, lambda *_: link)
    return [[round(x, 6) + 0.0 for x in pose.axis(at)] for at in range(3)]


def test_a_body_frame_looks_along_x() -> None:
    assert axes(carried(), Pose()) == [[0, -1, 0], [0, 0, -1], [1, 0, 0]]


def test_pan_is_to_the_left_and_tilt_is_up() -> None:
    assert axes(carried(pan=90), Pose())[2] == [0, 1, 0]
    assert axes(carried(tilt=90), Pose())[2] == [0, 0, 1]


def test_an_optical_frame_looks_along_z() -> None:
    assert axes(carried(frame="optical"), Pose()) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    turned = carried(frame="optical", roll=180)
    assert axes(turned, Pose()) == [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]


@pytest.mark.parametrize("heading", [0.0, 135.0, -90.0])
def test_a_head_turns_to_what_is_wanted(heading: float) -> None:
    spec = carried(offset=[0.03, 0.0, -0.05], pans=[-223, 200], tilts=[-88, 45])
    eyes = SimulatedCamera(spec, Carried(Pose((0.0, -0.8, 1.4), yaw(heading))))
    x, y, _ = eyes.camera((0.3, 0.1, 0.8)).pixels(np.array((0.3, 0.1, 0.8)))
    assert (x, y) == pytest.approx((160, 120), abs=3)  # its axes do not cross in the lens
    assert eyes.take(0, towards=(0.3, 0.1, 0.8)).mask("milk").sum() > 100


def test_a_head_turns_no_farther_than_its_joints() -> None:
    spec = carried(pans=[-30, 30])
    eyes = SimulatedCamera(spec, Carried(Pose((0.0, -0.8, 1.4))))
    axis = eyes.camera((0.0, 5.0, 1.4)).pose.axis(2)
    assert np.degrees(np.arctan2(axis[1], axis[0])) == pytest.approx(30)


def test_a_smaller_picture_shows_the_same() -> None:
    whole = camera()
    small = SimulatedCamera(resized(whole.spec, 0.5), whole.stage)
    assert small.take(0).colour.shape == (120, 160, 3)
    assert small.take(0).mask("milk").mean() == pytest.approx(
        whole.take(0).mask("milk").mean(), rel=0.1
    )


@pytest.mark.needs_system("mosaic")
def test_the_kitchens_cameras_see_the_table() -> None:
    eyes = kitchen()
    stage = eyes.stage(robots=False)
    for name in ("table_near", "table_far"):
        camera = SimulatedCamera(resized(eyes.cameras[name], 0.25), stage)
        seen = camera.take(0)
        for thing in ("bowl", "pot", "lettuce", "water", "table"):
            assert seen.mask(thing).any(), f"{name} does not see {thing}"
