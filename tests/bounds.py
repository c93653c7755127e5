"""How long a test may take at all.

Speed is measured in benchmarks. What tests hold is that nothing hangs: their inputs are so large that what takes the
square of the time, or never ends, goes far beyond this, and what does not stays far below it on any machine.
"""

HANGS = 60  # seconds
