"""The embedded planner: reads a question by grammar over the semantic model and words answers from cells."""
