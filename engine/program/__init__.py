"""Programs of skill calls: reading them safely, stepping through them, and what skills change."""
