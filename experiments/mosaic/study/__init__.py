"""User studies: MOSAIC's appendix G, with people or with simulated participants."""
