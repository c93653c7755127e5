"""lintbook: a content linter and consistency checker for lecture books in Markdown and SVG."""

__version__ = "0.1.0"

HOMEPAGE = "https://example.org/lintbook"
"""Where lintbook is at home: what its output refers to stands below it."""
