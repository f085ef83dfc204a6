"""Drawings for people: depth as grey values, proposals and masks on a picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_perception.pipeline.result import Localization
from treec_perception.pose.joints import BONES, JointState, PoseEstimate

Image = npt.NDArray[np.uint8]

MISSING = (92, 34, 60)
"""The colour of pixels without depth."""


def depth_colours(depth: npt.NDArray[np.float32]) -> Image:
    """Return depth (height, width; metres, 0 for none) as a picture: near is bright."""
    there = depth > 0
    out = np.empty((*depth.shape, 3), np.uint8)
    out[:] = MISSING
    if there.any():
        near, far = np.percentile(depth[there], (1, 99))
        grey = 1.0 - np.clip((depth - near) / max(float(far - near), 1e-3), 0.0, 1.0)
        out[there] = (35 + 220 * grey[there, None]).astype(np.uint8)
    return out


CHOSEN, OTHER, DROPPED, COVER = (230, 30, 150), (40, 120, 230), (150, 150, 150), (255, 80, 190)


def annotate(colour: Image, localization: Localization) -> Image:
    """Return a picture with the proposals, their scores, the mask and the box that was chosen."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    shown = colour.copy()
    if localization.mask is not None:
        tint = np.array(COVER, np.float64)
        shown[localization.mask] = (0.45 * shown[localization.mask] + 0.55 * tint).astype(np.uint8)
    image = Pillow.fromarray(shown)
    draw = ImageDraw.Draw(image)
    for proposal in localization.dropped:
        draw.rectangle(proposal.box, outline=DROPPED)
    for at, proposal in reversed(list(enumerate(localization.proposals))):
        colour_of = CHOSEN if at == 0 and localization.found else OTHER
        draw.rectangle(proposal.box, outline=colour_of, width=2 if at == 0 else 1)
        x, y = proposal.box[0] + 2, max(0.0, proposal.box[1] - 11)
        draw.text((x, y), f"{proposal.score:.2f}", fill=colour_of)
    label = (
        f"{localization.thing}: {localization.why}"
        if not localization.found
        else f"{localization.thing}: {localization.score:.2f}"
    )
    draw.rectangle((0, 0, 7 * len(label) + 6, 14), fill=(20, 20, 20))
    draw.text((3, 1), label, fill=(255, 255, 255))
    return np.asarray(image, np.uint8)


SEEN, UNSURE = (70, 220, 90), (240, 190, 40)


def skeleton(colour: Image, estimate: PoseEstimate) -> Image:
    """Return a picture with a person's joints: green where they are seen, else yellow."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    image = Pillow.fromarray(colour)
    draw = ImageDraw.Draw(image)
    for near, far in BONES:
        a, b = estimate.joints[near], estimate.joints[far]
        if a.pixel is not None and b.pixel is not None:
            both = a.state is JointState.seen and b.state is JointState.seen
            draw.line((*a.pixel, *b.pixel), fill=SEEN if both else UNSURE, width=3)
    for joint in estimate.joints.values():
        if joint.pixel is not None:
            x, y = joint.pixel
            fill = SEEN if joint.state is JointState.seen else UNSURE
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=fill, outline=(0, 0, 0))
    if estimate.why:
        draw.rectangle((0, 0, 7 * len(estimate.why) + 6, 14), fill=(20, 20, 20))
        draw.text((3, 1), estimate.why, fill=(255, 255, 255))
    return np.asarray(image, np.uint8)
