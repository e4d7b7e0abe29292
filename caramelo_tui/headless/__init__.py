"""One prompt without a screen."""
