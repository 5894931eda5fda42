"""The planner that asks a language model: any OpenAI-compatible endpoint, JSON in text, one repair."""
