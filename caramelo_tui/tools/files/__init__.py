"""Reading, editing, writing and listing files."""
