"""SparseTensor: a matrix, or an array of more dimensions, that holds its entries alone: where they are, and their values.

Both are dense tensors, `index` and `entries`, and every operation is made of operations on these. So gradients are those of
`entries`, and nothing else is recorded. The tensor itself has a meta, and no memory: an operation that knows nothing of sparse
tensors reaches for the memory and fails.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tritonflow.errors import AutogradError, CaptureError, InvalidArgumentError, NotYetImplementedError
from tritonflow.first_use import at_first_use
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import TensorImpl
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.members.torch_names import StorageLayout, sparse_coo, sparse_csc, sparse_csr
from tritonflow.thread_state import slow_path, thread_state

COMPRESSED = (sparse_csr, sparse_csc)
# What is built on this file.
_room = at_first_use(__name__, {
    "operation": "sparse.operations.operation", "first_of_each": "sparse.conversions.first_of_each",
    "representation": "sparse.printing.representation",
})  # fmt: skip


def refusal(name: str, layout: StorageLayout) -> NotYetImplementedError:
    """The error of an operation that sparse tensors do not have."""
    return NotYetImplementedError(
        f"{name}(): not implemented for tensors of layout {layout!r}; help: x.to_dense() is the dense tensor, and docs/sparse.md"
        " lists what sparse tensors can do"
    )


class SparseTensorImpl(TensorImpl):
    """The impl of a sparse tensor, which has no memory of its own."""

    __slots__ = ("layout", "version", "base", "__weakref__")
    is_lazy: ClassVar[bool] = False

    def __init__(self, layout: StorageLayout) -> None:
        self.layout = layout
        self.version = 0

    def changes(self) -> int:
        """How often the tensor was changed in place."""
        return self.version

    @property
    def block(self) -> Any:
        """There is none.

        Raises:
            NotImplementedError: always.
        """
        raise refusal("an operation", self.layout)


class SparseTensor(Tensor):
    """A sparse tensor of layout COO, CSR or CSC; made by `flow.sparse_coo_tensor` and its kin.

    Attributes:
        index: of COO, one tensor (sparse dimensions, entries); of CSR and CSC, where rows (columns) begin, and columns (rows).
        entries: the values (entries, *dense dimensions).
        coalesced: whether entries are sorted by where they are, none twice.
        is_own_leaf: whether it was made to require a gradient itself: that of `entries` is then its own.
    """

    coalesced: bool
    is_own_leaf: bool
    _is_sparse_tensor = True

    @classmethod
    def make(
        cls, layout: StorageLayout, index: tuple[Any, ...], entries: Any, shape: tuple[int, ...],
        coalesced: bool = False, own_leaf: bool = False,
    ) -> SparseTensor:  # fmt: skip
        """A sparse tensor of parts that belong together, unchecked."""
        meta = contiguous_meta(tuple(map(int, shape)), entries.meta.dtype, entries.meta.device)
        made = cls(meta, SparseTensorImpl(layout), 0)
        made._parts, made.coalesced, made.is_own_leaf = (index, entries), coalesced, own_leaf
        return made

    @property
    def index(self) -> tuple[Any, ...]:
        """Where the entries are. A graph that reads it holds while no operation in place has changed the tensor."""
        if slow_path.count:
            thread_state.observer.depend(self.impl, self.impl.changes)
        return self._parts[0]

    @property
    def entries(self) -> Any:
        """The values of the entries, read as `index` is."""
        if slow_path.count:
            thread_state.observer.depend(self.impl, self.impl.changes)
        return self._parts[1]

    def _change(self, index: tuple[Any, ...], entries: Any) -> None:
        if slow_path.count and thread_state.observer.is_capturing:
            raise refused_capture("a sparse tensor is changed in place")
        self._parts = index, entries
        self.impl.version += 1

    def with_entries(self, entries: Any, shape: tuple[int, ...] | None = None) -> SparseTensor:
        """Other values at the same positions."""
        return SparseTensor.make(self.layout, self.index, entries, shape or self.meta.shape, self.coalesced)

    def become(self, other: SparseTensor) -> SparseTensor:
        """What an in-place operation makes of the tensor: the parts of another one, of the same shape and dtype.

        Raises:
            RuntimeError: it is a leaf that requires grad, or the other one has another shape or dtype.
        """
        if self.is_own_leaf and thread_state.grad_enabled:
            raise AutogradError("a leaf Variable that requires grad is being used in an in-place operation.")
        if (self.meta, self.layout) != (other.meta, other.layout):
            raise InvalidArgumentError(
                f"an in-place operation cannot make a sparse tensor of {self.dtype}, shape {list(self.shape)} and layout"
                f" {self.layout!r} one of {other.dtype}, shape {list(other.shape)} and layout {other.layout!r}"
            )
        entries = other.entries.detach().requires_grad_() if self.is_own_leaf else other.entries
        self._change(other.index, entries)
        self.coalesced = other.coalesced
        return self

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What an operation is for sparse tensors; an error for one that they do not have."""
        return _room("operation")(func, args, kwargs or {})

    # ---------------------------------------------------------------------------------------------- what it is

    @property
    def layout(self) -> StorageLayout:
        """Which layout: `flow.sparse_coo`, `sparse_csr` or `sparse_csc`."""
        return self.impl.layout  # type: ignore[no-any-return]

    @property
    def is_sparse(self) -> bool:
        """Whether the layout is COO."""
        return self.impl.layout is sparse_coo

    @property
    def is_sparse_csr(self) -> bool:
        """Whether the layout is CSR."""
        return self.impl.layout is sparse_csr

    def sparse_dim(self) -> int:
        """How many dimensions are sparse."""
        return int(self.index[0].meta.shape[0]) if self.is_sparse else 2

    def dense_dim(self) -> int:
        """How many dimensions the values have."""
        return int(self.entries.meta.ndim) - 1

    def _nnz(self) -> int:
        return int(self.entries.meta.shape[0])

    def is_coalesced(self) -> bool:
        """Whether the entries are sorted by where they are, none twice.

        Raises:
            RuntimeError: the layout is not COO.
        """
        self._require("is_coalesced", sparse_coo)
        return self.coalesced

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """False: there is no memory to lie in."""
        return False

    def _require(self, name: str, *layouts: StorageLayout) -> None:
        if self.layout not in layouts:
            words = {sparse_coo: "coordinate", sparse_csr: "row compressed", sparse_csc: "column compressed"}
            wanted = {sparse_coo: "SparseCoo", sparse_csr: "SparseCsr", sparse_csc: "SparseCsc"}[self.layout]
            raise InvalidArgumentError(f"{name} expected sparse {words[layouts[0]]} tensor layout but got {wanted}")

    # ---------------------------------------------------------------------------------------------- its parts

    def indices(self) -> Any:
        """Where the entries of a coalesced COO tensor are: (sparse dimensions, entries), int64.

        Raises:
            RuntimeError: another layout, or a tensor that is not coalesced.
        """
        self._require("indices", sparse_coo)
        self._require_coalesced("indices")
        return self.index[0]

    def values(self) -> Any:
        """The values of the entries, through which gradients flow; of a coalesced tensor.

        Raises:
            RuntimeError: a COO tensor that is not coalesced.
        """
        if self.is_sparse:
            self._require_coalesced("values")
        return self.entries

    def _require_coalesced(self, name: str) -> None:
        if not self.coalesced:
            raise InvalidArgumentError(f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first")

    def _indices(self) -> Any:
        self._require("_indices", sparse_coo)
        return self.index[0]

    def _values(self) -> Any:
        self._require("_values", sparse_coo)
        return self.entries.detach()

    def crow_indices(self) -> Any:
        """Where the rows of a CSR tensor begin among its entries, and where the last one ends: (rows + 1).

        Raises:
            RuntimeError: another layout.
        """
        self._require("crow_indices", sparse_csr)
        return self.index[0]

    def col_indices(self) -> Any:
        """The columns of the entries of a CSR tensor.

        Raises:
            RuntimeError: another layout.
        """
        self._require("col_indices", sparse_csr)
        return self.index[1]

    def ccol_indices(self) -> Any:
        """Where the columns of a CSC tensor begin among its entries, and where the last one ends: (columns + 1).

        Raises:
            RuntimeError: another layout.
        """
        self._require("ccol_indices", sparse_csc)
        return self.index[0]

    def row_indices(self) -> Any:
        """The rows of the entries of a CSC tensor.

        Raises:
            RuntimeError: another layout.
        """
        self._require("row_indices", sparse_csc)
        return self.index[1]

    def _coalesced_(self, coalesced: bool) -> SparseTensor:
        self._require("_coalesced_", sparse_coo)
        self.coalesced = bool(coalesced)
        return self

    # ---------------------------------------------------------------------------------------------- gradients

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to its values."""
        return bool(self.entries.requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> SparseTensor:
        """Set whether backward leaves a sparse gradient in `.grad`.

        Raises:
            RuntimeError: the values are results of recorded operations, and False is asked for.
        """
        if requires_grad and not self.requires_grad:
            self._change(self.index, self.entries.detach().requires_grad_())
            self.is_own_leaf = True
        elif not requires_grad and self.requires_grad:
            if not self.is_own_leaf:
                raise AutogradError("you can only change requires_grad flags of leaf variables.")
            self._change(self.index, self.entries.detach())
            self.is_own_leaf = False
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor is no result of a recorded operation."""
        return self.is_own_leaf or not self.requires_grad

    @property
    def grad_fn(self) -> Any:
        """The node of the operation that made the values; None for a leaf."""
        node = self.entries._node
        return None if self.is_own_leaf or isinstance(node, AccumulateGrad) else self.entries.grad_fn

    @property
    def grad(self) -> Any:
        """The gradient of a leaf: a sparse tensor with entries where this one has some, and None before a backward."""
        found = self.entries.grad if self.is_own_leaf else None
        if found is None:
            return None
        return _room("first_of_each")(self.with_entries(found))

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            raise refusal("an assignment to grad", self.layout)
        self.entries.grad = None

    def __hash__(self) -> int:
        return id(self)

    # ---------------------------------------------------------------------------------------------- copies

    def __deepcopy__(self, memo: dict[int, Any]) -> SparseTensor:
        if id(self) not in memo:
            entries = self.entries.detach().clone().requires_grad_(self.requires_grad)
            index = tuple(part.clone() for part in self.index)
            leaf = self.requires_grad
            memo[id(self)] = SparseTensor.make(self.layout, index, entries, self.meta.shape, self.coalesced, leaf)
        return memo[id(self)]  # type: ignore[no-any-return]

    def __reduce_ex__(self, protocol: Any) -> Any:
        parts = (self.layout, self.index, self.entries.detach(), tuple(self.shape))
        return _rebuild, (*parts, self.coalesced, self.requires_grad)

    def __repr__(self) -> str:
        return str(_room("representation")(self))

    def __len__(self) -> int:
        if not self.meta.shape:
            raise TypeError("len() of a 0-d tensor")
        return int(self.meta.shape[0])

    def __iter__(self) -> Any:
        return iter([self[k] for k in range(len(self))])


def _rebuild(layout: Any, index: Any, entries: Any, shape: Any, coalesced: bool, requires_grad: bool) -> SparseTensor:
    return SparseTensor.make(layout, index, entries, shape, coalesced).requires_grad_(requires_grad)


def refused_capture(what: str) -> CaptureError:
    """The error of what a graph cannot capture; it ends the capture."""
    error = CaptureError(
        f"{what} in a graph, which cannot be captured; help: do so outside of the graph, and pass indices and values as tensors"
    )
    thread_state.observer.refuse(error)
    return error


def refuse_capture() -> None:
    """Refuse, in a graph that is captured, what has as many entries as numbers tell."""
    if slow_path.count and thread_state.observer.is_capturing:
        raise refused_capture("the number of entries of a sparse tensor depends on numbers")
