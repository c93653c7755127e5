"""Rules about errata: the records themselves, and changes that are not recorded."""
