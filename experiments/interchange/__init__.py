"""treec beside other programs that run behaviour trees."""
