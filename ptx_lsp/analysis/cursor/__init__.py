"""What is at the cursor, and what an unfinished statement there can become."""
