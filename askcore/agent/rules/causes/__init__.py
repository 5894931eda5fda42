"""Words of questions about causes, peers and what stands out."""
