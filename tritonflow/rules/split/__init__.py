"""What ops on consistent tensors are put together from, where a dimension is split that they reduce.

An op names its function (`split` in the registry), and its sbp rule says `SbpSignature(decomposed=True)`. These add up what the
ranks have. Autograd records the op itself, and not its parts. Every function takes inputs, static attributes and dynamic
scalars as the op does, and gives its outputs.
"""
