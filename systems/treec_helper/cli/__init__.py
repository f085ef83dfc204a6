"""The commands that HELPER adds to treec."""
