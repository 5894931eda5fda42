"""Standing among peers."""
