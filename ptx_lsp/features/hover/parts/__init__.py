"""What hovers about several things share: blocks of text, and how to word them."""
