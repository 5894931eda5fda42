"""Reports: made here, arranged, written and verified."""
