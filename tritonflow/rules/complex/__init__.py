"""What ops make of complex numbers. An op names its form (`complex` in the registry), which is loaded with the first number.

`movement` has ops that move elements or are linear over the real numbers: they run on the pairs. `pointwise` has the forms of
pointwise ops: formulas on real and imaginary parts, which `arithmetic` and `elementary` have. `products` has sums, products and
products of matrices.
"""
