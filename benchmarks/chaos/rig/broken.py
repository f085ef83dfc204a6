"""Workers in a module whose import goes wrong, if the plan says so."""

from rig import call
from rig.workers import Blocking as Blocking
from rig.workers import Stepped as Stepped
from rig.workers import Threaded as Threaded
from rig.workers import Timed as Timed

call("import")
