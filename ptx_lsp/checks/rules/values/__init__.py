"""Values that ptxas does not look at: addresses, masks, counts of registers, by thread and by loop."""
