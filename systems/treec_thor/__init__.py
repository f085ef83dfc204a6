"""AI2-THOR as an environment of the household: its actions, its metadata as facts, its visibility.

Tested with a controller of the tests that answers in the published form. No simulator build was to
be had where this was written.
"""
