"""What belongs to kitchens: how a cook talks."""
