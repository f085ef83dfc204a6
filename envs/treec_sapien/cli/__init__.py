"""Commands about scenes with bodies."""
