"""AskLake's core: ask a data lake a question, get an answer that is checked and traceable."""
