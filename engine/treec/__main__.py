"""``python -m treec``: the same as ``treec``."""

import sys

from treec.cli import main

sys.exit(main())
