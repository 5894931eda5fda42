"""The screens: one folder a section, shared rendering in `ui`."""
