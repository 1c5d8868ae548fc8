"""W84x: barriers of CTAs and clusters: order and counts; and groups of copies."""
