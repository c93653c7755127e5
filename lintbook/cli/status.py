"""Exit statuses: nothing found, something found, something could not be read or done, interrupted."""

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
