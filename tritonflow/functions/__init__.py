"""Functors written by hand, one file a family: those whose parameters are not simply the inputs and attributes of their op."""
