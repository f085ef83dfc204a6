"""The integration test of MOSAIC's appendix H: a simulated user, and a judge of each run."""
