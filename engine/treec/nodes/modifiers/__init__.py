"""Keys that any node may carry and that change what it does: one module for each."""
