"""Node types without children: one module for each, called what its key is called."""
