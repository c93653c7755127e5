"""Rules about boxes: their numbers, kinds and anchors."""
