"""The only room that imports Textual."""
