"""The agent core: a planner proposes, the guard admits, tools run, the loop observes and finishes."""
