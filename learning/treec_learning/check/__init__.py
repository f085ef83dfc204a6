"""Rules about rewards and what is learned by them."""
