"""Published systems: what each adds to treec stands in a folder of its own, in `extension.py`."""
