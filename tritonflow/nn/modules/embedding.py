"""A table of vectors, looked up by index."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
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
        max_norm, norm_type: rows that are looked up are shortened in place to that norm.
        scale_grad_by_freq: whether to divide a row's gradient by how often it is looked up.
        sparse: whether the gradient of the table is sparse, for `SparseAdam`, `SGD` and `Adagrad`; in a graph it is dense.
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
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
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
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}{_options(self)}"


def _options(layer: Any) -> str:
    """What is said of a table's options that are not the usual ones."""
    text = "" if layer.max_norm is None else f", max_norm={layer.max_norm}"
    text += "" if layer.norm_type == 2 else f", norm_type={layer.norm_type}"
    text += ", scale_grad_by_freq=True" if layer.scale_grad_by_freq else ""
    return text + (", sparse=True" if layer.sparse else "")


class EmbeddingBag(Module):
    """Sums, means or maxima of rows of a table, without the rows themselves as a result.

    Args:
        num_embeddings, embedding_dim: rows of the table and their size.
        max_norm, norm_type, scale_grad_by_freq, sparse: as of `Embedding`.
        mode: 'mean', 'sum' or 'max'.
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: a row that starts at zero, gets no gradient and does not count.
        device, dtype: of the table.

    Shape:
        x: `(B, N)` integers, or `(N)` with offsets `(B)`; y: `(B, embedding_dim)`.

    Source: torch.nn.EmbeddingBag.

    Example:
        >>> import tritonflow as flow
        >>> bags = flow.nn.EmbeddingBag.from_pretrained(flow.tensor([[1.0], [2.0], [4.0]]), mode="sum")
        >>> bags(flow.tensor([0, 1, 2]), flow.tensor([0, 2])).tolist()
        [[3.0], [4.0]]
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.padding_idx = padding_idx % num_embeddings if padding_idx is not None else None
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        size = (num_embeddings, embedding_dim)
        if _weight is not None and tuple(_weight.shape) != size:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        self.weight = Parameter(_C.empty(size, device=device, dtype=dtype) if _weight is None else _weight)
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, **kwargs: Any) -> EmbeddingBag:
        """Bags of the table `embeddings`, which is not trained if `freeze`; other options as of the class."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, size = embeddings.shape
        bags = cls(rows, size, _weight=embeddings, **kwargs)
        bags.weight.requires_grad = not freeze
        return bags

    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        """Indices to `(B, embedding_dim)`; weights, with mode 'sum', are a factor for each index."""
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, self.sparse,
            per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{_options(self)}, mode={self.mode!r}{padding}"
