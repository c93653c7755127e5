"""Rules about labels: learning objectives and the like, and where each must be taken up."""
