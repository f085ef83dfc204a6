"""End-to-end trials as in MOSAIC's Figure 3: recipes cooked with all modules at once."""
