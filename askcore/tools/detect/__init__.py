"""The parts of `detect_changes`: reading daily series, judging them, saying what was found."""
