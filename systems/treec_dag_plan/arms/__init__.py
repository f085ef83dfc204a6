"""Task graphs for arms (DAG-Plan): their checks, schedules, and what validates plans."""
