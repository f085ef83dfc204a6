"""The kitchen's skills."""
