"""What the numbers mean: metrics, additivity, levels, identities, periods and the calendar."""
