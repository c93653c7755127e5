"""Rules about words: terms that are not to be used, statements that grow old."""
