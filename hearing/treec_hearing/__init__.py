"""What words mean: sentence templates, matched with the domain's names; a network beside them."""
