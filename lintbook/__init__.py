"""lintbook: a content linter and consistency checker for lecture books in Markdown and SVG."""

__version__ = "0.1.0"
