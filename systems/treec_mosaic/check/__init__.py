"""Rules about recipes whose subtasks fetch things before others use them, as in a kitchen."""
