"""What Baxter's arms do in physics: one short worker for each skill of the dual kitchen."""
