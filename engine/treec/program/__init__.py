"""Programs of skill calls: parsing, checking and running them; effects of skills."""
