"""Functors written by hand, one file a family, where a signature's parameters are not simply its op's."""
