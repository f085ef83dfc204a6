"""People: their joints, and recordings of how they move."""
