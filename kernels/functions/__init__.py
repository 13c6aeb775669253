"""Scalar functions: the one definition of each pointwise operation's arithmetic, on scalars and on blocks.

A name is unique over the families, and it is the name that formulas in op_registry.yaml use. Arguments arrive in
the op's compute type (float32 or float64; an integer type; int8 for bool) or as literals.
"""
