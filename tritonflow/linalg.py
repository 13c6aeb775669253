"""Linear algebra under torch's names: the functions that the registry exports to `linalg`.

Example:
    >>> import tritonflow as flow
    >>> flow.linalg.vector_norm(flow.tensor([3.0, 4.0])).item()
    5.0
"""

from tritonflow._C.linalg_names import *  # noqa: F403 (these functions, and nothing else)
from tritonflow.errors import LinAlgError as LinAlgError
