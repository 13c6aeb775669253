"""A table of vectors, looked up by index."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import Parameter


class Embedding(Module):
    """`y = weight[x]`: a row of the table for each index.

    Args:
        num_embeddings: rows of the table.
        embedding_dim: size of a row.
        padding_idx: a row that starts at zero and gets no gradient.
        max_norm, norm_type, scale_grad_by_freq, sparse: as torch's; only the defaults are implemented.
        _weight: a table to start from.
        device, dtype: of the table.

    Shape:
        x: integers of any shape `(*)`; y: `(*, embedding_dim)`; weight: `(num_embeddings, embedding_dim)`, drawn
        standard normal.

    Raises:
        IndexError: an index that is no row.

    Source: torch.nn.Embedding.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Embedding(10, 3)(flow.tensor([[1, 2], [4, 3]])).shape
        tritonflow.Size([2, 2, 3])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if max_norm is not None or scale_grad_by_freq or sparse:
            raise NotImplementedError("Embedding: max_norm, scale_grad_by_freq and sparse are not implemented")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx % num_embeddings if padding_idx is not None else None
        size = (num_embeddings, embedding_dim)
        if _weight is None:
            self.weight = Parameter(_C.empty(size, device=device, dtype=dtype), requires_grad=not _freeze)
            self.reset_parameters()
        else:
            if tuple(_weight.shape) != size:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, **kwargs: Any
    ) -> Embedding:
        """An embedding with the table `embeddings`, which is not trained if `freeze`."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, size = embeddings.shape
        return cls(rows, size, padding_idx, _weight=embeddings, _freeze=freeze, **kwargs)

    def reset_parameters(self) -> None:
        """Draw the table again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """`(*)` integers to `(*, embedding_dim)`."""
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
