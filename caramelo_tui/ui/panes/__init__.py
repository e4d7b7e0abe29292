"""The fixed regions of the main screen."""
