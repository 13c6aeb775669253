"""A quarter of an hour on a GPU: is every road open, is every op right, how fast is what matters most. `docs/gpu.md`.

`python -m gpu --seconds 480 --out FOLDER` runs phases (`schedule.py`, `phases/`), each with its part of the seconds. What is
found is on disk at once (`records.py`), and the next run goes on behind it. This process imports no torch: nothing that a
kernel does can end it. All work is done in processes of their own (`processes.py`).
"""
