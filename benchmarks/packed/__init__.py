"""What packed values hold that the manual leaves open, and the list of all of them (docs/layouts.md)."""
