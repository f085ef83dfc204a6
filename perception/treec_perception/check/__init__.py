"""Rules about cameras, localizers and pose estimators."""
