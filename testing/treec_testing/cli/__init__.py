"""Commands of tests: cases, snapshots, comparisons, coverage, single skills."""
