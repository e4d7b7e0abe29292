"""The sample workspace and the script of ``caramelo demo``."""
