"""`treec plan` and `treec evaluate dual_arm`."""
