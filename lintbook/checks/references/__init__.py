"""Rules about cross-references."""
