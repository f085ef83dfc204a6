"""``python -m engine``: the same as ``treec``."""

import sys

from engine.cli import main

sys.exit(main())
