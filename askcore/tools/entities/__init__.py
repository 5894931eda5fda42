"""Parts of `cross_entity`: entities of one level side by side, each from its own rows."""
