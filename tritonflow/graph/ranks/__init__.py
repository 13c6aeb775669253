"""What is done to graphs whose values lie over ranks.

All ranks do it alike: they decide by the trace of a capture and by the bytes of layouts, which are equal on all of them.
"""
