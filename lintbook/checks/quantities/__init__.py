"""Rules about stated numbers and the formulas that vouch for them."""
