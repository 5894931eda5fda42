"""What the screens share: text, state, caches and the parts they are built from."""
