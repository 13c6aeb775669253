"""Triton's functions that are a series or a table, and no single operation: tolerances and prices ask for them.

Imports nothing, so that the generator can run while the rest of the tree is stale or broken.
"""

TRANSCENDENTAL = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "erfinv", "exp", "exp2",
    "expm1", "lgamma", "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh", "tgamma",
}  # fmt: skip
