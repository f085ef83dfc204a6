"""The node `plan`."""
