"""What the measurements count by."""
