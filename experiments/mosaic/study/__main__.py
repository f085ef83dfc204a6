"""``python -m experiments.mosaic.study``: see `experiments.mosaic.study.command`."""

import sys

from experiments.command import main
from experiments.mosaic.study.command import command

sys.exit(main(command))
