"""Parts of the query and comparison tools: resolving arguments, like-for-like sets, statistics, wording."""
