# All that is needed is Python (3.11 or newer, with venv) and make.
PYTHON ?= python3
VENV := .venv
INSTALLED := $(VENV)/.installed

.PHONY: demo test

# Check a small book full of faults. That faults are found (exit status 1) is what the demo is for.
demo: $(INSTALLED)
	cd fixtures/books/first-look && { $(CURDIR)/$(VENV)/bin/lintbook check || test $$? -eq 1; }

test: $(INSTALLED)
	$(VENV)/bin/python -m pytest

# `--group` came with pip 25.1; the pip that a new environment starts with is often older.
$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(VENV)/bin/python -m pip install --quiet --editable . --group dev
	touch $@
