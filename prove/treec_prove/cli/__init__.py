"""The command `treec prove`."""
