"""W83x: mbarriers: arrivals, phases, bytes, and how long they live."""
