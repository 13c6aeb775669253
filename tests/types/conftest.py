"""wrong_calls.py is for the checkers alone: it does not run."""

collect_ignore = ["wrong_calls.py"]
