"""Roads: each way to a GPU once, in a process of its own, so that one that hangs or crashes spoils no other.

    python -m gpu.roads --list             their names, and what each shows
    python -m gpu.roads graph descriptors  run some of them; without names all
    python -m gpu.roads --stand-in         on the stand-in for a GPU, to try them out

A road is a function with `@road`. It returns what it has seen, and raises where the road is closed. What tests/device/test_gpu.py
has (copies, streams, threads, memory that ends, 2^31 elements, fork) is not here again.
"""
