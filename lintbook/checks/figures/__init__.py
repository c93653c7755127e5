"""Rules about figures: what SVG drawings define and use."""
