"""Rules of DAG-Plan's problem files."""
