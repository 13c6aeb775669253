"""Programs for the checkers alone are not run."""

collect_ignore = ["right_calls.py", "wrong_calls.py"]
