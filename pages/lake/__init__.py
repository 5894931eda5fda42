"""Looking at the lake and its health."""
