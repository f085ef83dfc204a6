"""The integration test of the paper's appendix H: a simulated user, and a judge of each run."""
