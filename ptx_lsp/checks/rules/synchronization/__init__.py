"""W8xx: asynchronous copies, wgmma, tcgen05, mbarriers, clusters and proxies."""
