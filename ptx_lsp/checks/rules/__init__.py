"""The rules, a file each, by what they are about."""
