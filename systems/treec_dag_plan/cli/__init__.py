"""`treec plan`."""
