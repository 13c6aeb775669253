"""What Tensor has besides ops, a file a subject, and names of torch that are none of its members.

`METHODS` of a file are members of Tensor. `MODULES` are all such files; the package attaches them when it is imported.
"""

from tritonflow.members import (
    conversion,
    copying,
    gradients,
    inplace_views,
    memory_changes,
    protocols,
    sparse_names,
    storage,
    tensor_types,
    torch_members,
)

MODULES = (
    gradients, conversion, protocols, copying, inplace_views, memory_changes, sparse_names, storage, tensor_types, torch_members
)  # fmt: skip
