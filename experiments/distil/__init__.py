"""What scorers that are distilled from MOSAIC's nodes answer alone."""
