"""An embodied household: rooms, a camera, a map, and a robot that has to look and walk.

`home` is what there is (bodies of `treec_sapien`, seen by its ray caster), `simulator` what the
robot's primitive actions do in it; `occupancy`, `memory` and `navigation` are what the robot makes
of its pictures, and `environment` carries out the household's skills with them.
"""
