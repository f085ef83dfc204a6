"""What treec costs, measured: ``python -m benchmarks [NAME…]`` prints the tables."""
