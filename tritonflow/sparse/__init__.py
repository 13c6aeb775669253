"""Sparse tensors: matrices that hold their entries alone, with products and gradients (docs/sparse.md).

    adjacency = flow.sparse_coo_tensor(edges, weights, (n, n))
    flow.sparse.mm(adjacency, features)

Every operation is made of operations on the tensors that hold indices and values.

Source: torch.sparse.
"""

from tritonflow.sparse.arithmetic import log_softmax, softmax, spdiags, sum
from tritonflow.sparse.creation import sparse_compressed_tensor, sparse_coo_tensor, sparse_csc_tensor, sparse_csr_tensor
from tritonflow.sparse.invariants import check_sparse_tensor_invariants
from tritonflow.sparse.products import addmm, mm, sampled_addmm

__all__ = (
    "addmm", "check_sparse_tensor_invariants", "log_softmax", "mm", "sampled_addmm", "softmax", "sparse_compressed_tensor",
    "sparse_coo_tensor", "sparse_csc_tensor", "sparse_csr_tensor", "spdiags", "sum",
)  # fmt: skip
