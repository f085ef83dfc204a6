"""The robot and what stands for it."""
