"""``python -m experiments.mosaic.trials``: see `experiments.mosaic.trials.command`."""

import sys

from experiments.command import main
from experiments.mosaic.trials.command import command

sys.exit(main(command))
