"""Plans in cases and snapshots."""
