"""Rules about judges."""
