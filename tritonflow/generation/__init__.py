"""What programs that generate text are made of.

`sample_tokens` draws the next token of each row of a batch.
"""

from tritonflow.generation.sampling import sample_tokens

__all__ = ["sample_tokens"]
