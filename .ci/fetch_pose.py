"""Get the model that finds a person's joints in pictures, where it is missing and can be had.

Without it the tests of the real landmarker are skipped, as is said here.
"""

from __future__ import annotations

import sys

from treec_perception.pose.model_file import PoseModelError, fetch, pose_model_file

if __name__ == "__main__":
    try:
        if not (place := pose_model_file()).is_file():
            fetch(place)
    except (PoseModelError, OSError, RuntimeError) as error:  # no home: RuntimeError
        print(f"tests with the pose model are skipped: {error}", file=sys.stderr)
