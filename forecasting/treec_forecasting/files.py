"""The kinds of files of forecasting: an experiment, and a forecaster at work in runs.

Plain data: reading and checking it imports neither numpy nor torch.
"""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from treec.files.fields import Duration, Model

Sight = Literal["partner", "thing"]


class NoJoints(Exception):
    """Nothing tells a person's joints; the message says why."""


class DctMlpSpec(Model):
    """Residual MLP over the cosine transform of the past, after siMLPe (Guo et al. 2023)."""

    width: int = Field(512, ge=8, le=4096)
    depth: int = Field(3, ge=1, le=32)
    dropout: float = Field(0.1, ge=0, lt=1)
    sees: list[Sight] = Field(
        [], description="What it sees beside the person: the partner's joints, the thing's place."
    )


class StsGcnSpec(Model):
    """STS-GCN (Sofianos et al. 2021) as it was released; it sees the person alone."""

    dropout: float = Field(0.1, ge=0, lt=1)


class NetworkSpec(Model):
    """The network: one of these."""

    dct_mlp: DctMlpSpec | None = None
    sts_gcn: StsGcnSpec | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.dct_mlp is None) == (self.sts_gcn is None):
            raise ValueError("a network is one of dct_mlp, sts_gcn")
        return self

    @property
    def kind(self) -> str:
        """Its name."""
        return "dct_mlp" if self.dct_mlp is not None else "sts_gcn"

    def parameters(self) -> dict[str, Any]:
        """Return its parameters by name."""
        chosen = self.dct_mlp if self.dct_mlp is not None else self.sts_gcn
        assert chosen is not None
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in chosen.model_dump().items()
        }


class ForecastFile(Model):
    """A forecaster of a person's upper body, and the experiment that makes it.

    It sees 10 frames at 25 Hz and gives the next 25. Training and evaluation split the recordings
    by `seed`: 70 % to train, 10 % to validate, 20 % to test.
    """

    forecast: str
    about: str
    network: NetworkSpec
    data: list[str] = Field(
        [], description="Recordings to train on, .npz; relative to the library."
    )
    pretrain: str | None = Field(
        None, description="A trained forecaster to begin with: a folder, relative to the library."
    )
    noise: float = Field(
        0.0, ge=0, le=1, description="Standard deviation (m) of the noise on its inputs."
    )
    transition_share: float = Field(
        0.0, ge=0, le=1, description="Share of windows that are drawn from transitions alone."
    )
    mirror: bool = Field(True, description="Whether half of the windows are mirrored.")
    vary: bool = Field(
        False,
        description="Whether windows vary in frame rate, size, noise and lost joints, people in "
        "some stop, and each counts the more the less they move.",
    )
    gate: bool = Field(
        False,
        description="Whether, in the end, a gate is fitted: where standing still is the better "
        "forecast by what came of the last ones, it is taken.",
    )
    epochs: int = Field(20, ge=1)
    windows_per_epoch: int = Field(60000, ge=1)
    batch: int = Field(256, ge=1)
    learning_rate: float = Field(1e-3, gt=0)
    weight_decay: float = Field(1e-2, ge=0)
    threads: int = Field(1, ge=1, description="Threads of torch.")
    seed: int = 0


class SimulatedJoints(Model):
    """The simulator's joints with the errors of tracking by a depth camera, drawn by the seed."""

    sigma: float = Field(
        0.01, ge=0, le=0.5, description="Standard deviation (m) of each coordinate in each pose."
    )
    delay: Duration = Field(0.1, ge=0, le=2, description="From the picture to its joints.")
    dropout: float = Field(0.02, ge=0, le=1, description="Share of poses that are missing.")
    swaps: float = Field(
        0.0, ge=0, le=1, description="Share of poses in which left and right are swapped."
    )
    jumps: float = Field(
        0.0, ge=0, le=1, description="Share of poses with a joint that is up to 0.5 m off."
    )
    unnoticed: Duration = Field(
        0.0, ge=0, le=2, description="Part of the delay that the time stamps do not have."
    )


class CameraJoints(Model):
    """The joints that a pose estimator finds in the pictures of cameras, with their depth."""

    cameras: list[str] = Field(
        [], description="The cameras (default: those of the pose estimator, or all)."
    )
    pose_estimator: str | None = Field(
        None, description="The pose estimator (default: one that finds joints beneath the skin)."
    )
    rate: float = Field(10.0, ge=4, le=25, description="Looks a second.")
    delay: Duration = Field(
        0.1, ge=0, le=2, description="From the picture to its joints, where cameras are simulated."
    )
    sigma: float = Field(
        0.03,
        ge=0,
        le=0.5,
        description="Standard deviation (m) that is assumed of each coordinate; robots keep so "
        "much further away, since such errors last.",
    )


class JointsSource(Model):
    """Where a person's joints come from.

    With both, from cameras in runs with `--see` and wherever nothing is simulated, else from the
    simulator, as where the pose estimator's model is not installed.
    """

    simulator: SimulatedJoints | None = None
    camera: CameraJoints | None = None

    @property
    def noise(self) -> SimulatedJoints | None:
        """The errors of the simulator's joints; None where cameras alone tell joints."""
        if self.simulator is None and self.camera is None:
            return SimulatedJoints.model_validate({})
        return self.simulator


class ForecasterFile(Model):
    """A forecaster at work: what a skill's `needs: {forecast: forecast(user)}` is answered by.

    Without enough poses, with old ones, or where the model fails, skills are given the present
    pose, are notified, and keep further away.
    """

    forecaster: str
    about: str | None = None
    model: str = Field(
        "steady",
        description="A trained forecaster: one of treec's, or a folder, relative to the library; "
        "or zero_velocity or constant_velocity.",
    )
    joints: JointsSource = Field(default_factory=dict, validate_default=True)
    rate: float = Field(15.0, ge=1, le=60, description="Forecasts a second.")
    stale: Duration = Field(
        0.3, gt=0, le=2, description="Age of the last pose above which nothing is forecast from it."
    )
    lost: Duration = Field(
        0.6, gt=0, le=10, description="Age of the last pose above which the person is lost."
    )
    further: float = Field(
        0.25, ge=0, le=2, description="Metres that skills keep further away without a forecast."
    )

    @model_validator(mode="after")
    def _in_time(self) -> Self:
        camera = self.joints.camera
        if camera is not None and camera.delay + 1 / camera.rate > self.stale:
            oldest = camera.delay + 1 / camera.rate
            raise ValueError(
                f"joints of cameras are up to {oldest:.2g} s old (delay and time between two "
                f"looks), and poses are stale from {self.stale:g} s on: nothing would be forecast"
            )
        return self
