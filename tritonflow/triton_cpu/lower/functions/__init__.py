"""Mathematical functions of lanes, one family a file.

`table.py` lists them with their precision.
"""
