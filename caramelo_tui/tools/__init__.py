"""What a call does."""
