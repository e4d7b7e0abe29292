"""Settings, locations, trust and keys."""
