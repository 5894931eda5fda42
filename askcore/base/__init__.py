"""Values, errors, settings and text that every other layer may use; imports nothing above itself."""
