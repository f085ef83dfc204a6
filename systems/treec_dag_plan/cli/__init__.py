"""`treec plan` and `treec evaluate dual-arm`."""
