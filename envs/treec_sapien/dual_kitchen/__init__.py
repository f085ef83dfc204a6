"""Physical workers of Baxter's arms: one short class for each skill of the dual kitchen."""
