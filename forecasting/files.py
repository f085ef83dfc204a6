"""The kind of file of forecasting: an experiment, and so a trained forecaster.

Plain data: reading and checking it imports neither numpy nor torch.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from treec.files.fields import Model

Sight = Literal["partner", "thing"]


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
    def _one(self) -> NetworkSpec:
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
    epochs: int = Field(20, ge=1)
    windows_per_epoch: int = Field(60000, ge=1)
    batch: int = Field(256, ge=1)
    learning_rate: float = Field(1e-3, gt=0)
    weight_decay: float = Field(1e-2, ge=0)
    threads: int = Field(1, ge=1, description="Threads of torch.")
    seed: int = 0
