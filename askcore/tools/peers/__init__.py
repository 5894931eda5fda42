"""Parts of `peer_benchmark`: a shop beside the mean of its peers, day by day."""
