"""Parts of `raw_inspect`: one row as the source delivered it, beside what the lake computes."""
