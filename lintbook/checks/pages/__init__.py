"""Rules about pages, links, ids and the navigation."""
