"""The batching rules of `vmap`: how one op on all examples does what the op does for each of them.

An op names its rule (`batch` in the registry). Of one that names none the rest of its record says enough (`default`).
"""
