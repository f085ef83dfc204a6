"""``python -m experiments.helper.eyes.train``: the small eyes of the embodied household, anew."""

from __future__ import annotations

import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.command import main
from experiments.helper.eyes.pictures import CLASSES, PER_HOME, examples, types_of
from treec_household.embodied.look import features_of

PIXELS = 500
"""Pixels of a picture that are learned from."""
BATCH = 4096
"""Of them, those of a step."""
THRESHOLDS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
RIGHT = 0.95
"""How often a state has to be right, of pictures that were not learned from, to be taken over."""
SHARD = 10
"""Homes of one file of pictures."""


def command(
    out: Annotated[Path, typer.Option("--out", help="Folder for the weights, and for pictures.")],
    domain: Annotated[Path, typer.Option("--domain", help="The household's domain file.")] = Path(
        "envs/household/household.domain.yaml"
    ),
    homes: Annotated[int, typer.Option("--homes", min=20, help="Random homes.")] = 600,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Steps of the classes.")] = 1500,
    processes: Annotated[int, typer.Option("--processes", min=1, help="Makers of pictures.")] = 2,
) -> int:
    """Make pictures of random homes, and fit the networks to them; the last tenth judges."""
    data = out / "pictures"
    data.mkdir(parents=True, exist_ok=True)
    jobs = [(data, str(domain), first) for first in range(0, homes, SHARD)]
    with get_context("spawn").Pool(processes) as pool:
        for number, _ in enumerate(pool.imap(make_shard, jobs), 1):
            _tell(f"pictures: {number} of {len(jobs)} files")
    files = [data / f"{first:05d}.npz" for _, _, first in jobs]
    start = get_context("spawn").Process
    (out / "together").unlink(missing_ok=True)
    own = [start(target=fit_all, args=(n, files, out, steps, processes)) for n in range(processes)]
    for process in own:
        process.start()
    for process in own:
        process.join()
    return 0


def make_shard(job: tuple[Path, str, int]) -> None:
    """Make the pictures of some homes, if they are not there yet."""
    folder, domain, first = job
    path = folder / f"{first:05d}.npz"
    if path.exists():
        return
    made = list(examples(range(first, first + SHARD), types_of(domain), 0.05))
    np.savez(
        path,
        **{
            name: (np.stack if name in ("inputs", "classes", "middles") else np.concatenate)(
                [one[name] for one in made]
            )
            for name in made[0]
        },
    )


def fit_all(rank: int, files: list[Path], out: Path, steps: int, processes: int) -> None:
    """Fit both networks to the files, judge them by the last tenth, and write them."""
    import torch
    from torch import distributed as dist
    from torch.nn import functional as F

    from experiments.helper.eyes.fit import Classes, fit, save

    torch.set_num_threads(1)
    torch.manual_seed(0)
    if processes > 1:
        store = f"file://{(out / 'together').resolve()}"
        dist.init_process_group("gloo", init_method=store, rank=rank, world_size=processes)
    read = [np.load(path) for path in files]
    data: dict[str, Any] = {k: np.concatenate([one[k] for one in read]) for k in read[0].files}
    kept = len(data["inputs"]) - max(PER_HOME, len(data["inputs"]) // 10)
    x, y, m = _pixels(data, rank, kept, processes)
    mean, spread = _scale(data)
    net = Classes(x.shape[1], len(CLASSES))
    x = ((x - mean) / spread).astype(np.float16)

    def loss(at: Any) -> torch.Tensor:
        found = net(torch.from_numpy(x[at]).float())
        true = torch.from_numpy(y[at].astype(np.int64))
        wrong = F.cross_entropy(found[:, 3:], true)
        there = (true > 0)[:, None]
        middle = torch.from_numpy(m[at]).float()
        off = F.smooth_l1_loss(found[:, :3], middle, reduction="none", beta=0.02)
        return wrong + 2.0 * (off * there).sum() / (3 * there.sum() + 1)

    tell = _tell if rank == 0 else _quiet
    fit(net, loss, np.arange(len(x)), steps=steps, batch=BATCH, rate=4e-3, tell=tell)
    if rank == 0:
        save(net, out / "classes.npz", names=np.array(CLASSES), mean=mean, spread=spread)
        _judge_classes(net, data, kept, (mean, spread))
    _fit_states(data, out, steps // 2, rank)


def _pixels(data: dict[str, Any], rank: int, kept: int, processes: int) -> tuple[Any, Any, Any]:
    """Features, classes and middles of some pixels of this process's pictures, rare ones more."""
    counts = np.bincount(data["classes"][:kept].ravel(), minlength=len(CLASSES))
    often = (1 / np.maximum(counts, 500.0)) ** 0.5
    rng = np.random.default_rng(rank)
    x, y, m = [], [], []
    for at in range(rank, kept, processes):
        classes = data["classes"][at].ravel()
        ends = np.cumsum(often[classes])
        chosen = np.searchsorted(ends, rng.random(PIXELS) * ends[-1])
        rows, columns = np.divmod(chosen, data["inputs"].shape[2])
        x.append(features_of(data["inputs"][at].astype(np.float32), rows, columns))
        y.append(classes[chosen])
        m.append(data["middles"][at].reshape(-1, 3)[chosen])
    return np.concatenate(x), np.concatenate(y), np.concatenate(m)


def _scale(data: dict[str, Any]) -> tuple[Any, Any]:
    """The mean and the spread of the features, the same in all processes."""
    rng = np.random.default_rng(0)
    size = data["inputs"].shape[1]
    own = [
        features_of(data["inputs"][at].astype(np.float32), *rng.integers(0, size, (2, 100)))
        for at in range(0, len(data["inputs"]), 10)
    ]
    x = np.concatenate(own)
    return x.mean(axis=0), x.std(axis=0) + 1e-3


def _judge_classes(net: Any, data: dict[str, Any], kept: int, scale: tuple[Any, Any]) -> None:
    import torch

    right = np.zeros((2, len(CLASSES)))
    size = data["inputs"].shape[1]
    rows, columns = np.divmod(np.arange(0, size * size, 7), size)
    off = []
    with torch.inference_mode():
        for at in range(kept, len(data["inputs"])):
            x = features_of(data["inputs"][at].astype(np.float32), rows, columns)
            found = net(torch.from_numpy((x - scale[0]) / scale[1]).float()).numpy()
            best = found[:, 3:].argmax(1)
            true = data["classes"][at].ravel()[::7]
            np.add.at(right[0], true[best == true], 1)
            np.add.at(right[1], true, 1)
            middle = data["middles"][at].reshape(-1, 3)[::7].astype(np.float32)
            off.append(np.linalg.norm(found[:, :3] - middle, axis=1)[true > 0])
    share = right[0] / np.maximum(right[1], 1)
    _tell(f"pixels: {right[0].sum() / right[1].sum():.3f} right")
    _tell(f"pixels of things: {right[0][1:].sum() / right[1][1:].sum():.3f} right")
    _tell(f"mean of classes: {share[1:][right[1][1:] > 0].mean():.3f}")
    worst = [(round(share[n], 2), CLASSES[n]) for n in np.argsort(share) if right[1][n] > 20]
    _tell(f"worst: {worst[:25]}")
    _tell(f"middles: {np.median(np.concatenate(off)):.3f} m off")


def _fit_states(data: dict[str, Any], out: Path, steps: int, rank: int) -> None:
    import torch
    from torch.nn import functional as F

    from experiments.helper.eyes.fit import States, fit, save

    crops, kinds, states = data["crops"], data["crop_classes"], data["states"]
    kept = int(len(crops) * 0.9)
    small = States(len(CLASSES), states.shape[1])

    def judge(at: Any) -> torch.Tensor:
        x = torch.from_numpy(crops[at].astype(np.float32) / 255).permute(0, 3, 1, 2)
        found = small(x, torch.from_numpy(kinds[at].astype(np.int64)))
        y = torch.from_numpy(states[at].astype(np.float32))
        known = (y >= 0).float()
        each = F.binary_cross_entropy_with_logits(found, y.clamp(0), reduction="none")
        return (each * known).sum() / known.sum()

    tell = _tell if rank == 0 else _quiet
    fit(small, judge, np.arange(kept), steps=steps, batch=64, rate=4e-3, tell=tell)
    if rank:
        return
    with torch.inference_mode():
        x = torch.from_numpy(crops[kept:].astype(np.float32) / 255).permute(0, 3, 1, 2)
        p = torch.sigmoid(small(x, torch.from_numpy(kinds[kept:].astype(np.int64)))).numpy()
    certain = []
    for fact in range(states.shape[1]):
        y = states[kept:, fact]
        mine = y >= 0
        good = (p[mine, fact] > 0.5) == y[mine]
        surely = np.maximum(p[mine, fact], 1 - p[mine, fact])
        enough = (t for t in THRESHOLDS if good[surely >= t].mean() >= RIGHT)
        certain.append(next(enough, 1.01))
        sure = surely >= certain[-1]
        _tell(
            f"state {fact}: {good.mean():.3f} of {mine.sum()}; sure {sure.mean():.2f}: "
            f"{good[sure].mean():.3f}"
        )
    save(small, out / "states.npz", certain=np.array(certain, np.float32))


def _quiet(text: str) -> None:
    """Tell nothing."""


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(command))
