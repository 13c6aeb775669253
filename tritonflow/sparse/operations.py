"""Which operation is what for sparse tensors. One that is not here is refused, with the way out: `x.to_dense()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.function_overrides import DisableTorchFunctionSubclass
from tritonflow.framework.tensor import wrap_dim
from tritonflow.members.torch_names import sparse_coo, sparse_csc, sparse_csr
from tritonflow.sparse import arithmetic, conversions, products
from tritonflow.sparse.tensor import SparseTensor, refusal

# Questions about shape, dtype and device, which the meta answers.
_OF_THE_META = frozenset("""
    shape dtype device ndim dim ndimension numel nelement size element_size itemsize is_floating_point is_complex is_signed is_cuda
    is_cpu is_meta is_local is_global is_consistent is_lazy get_device _no is_same_size is_inference _version name
""".split())
# Functions that make 0 of 0.
_ELEMENTWISE = """
    abs neg sqrt square sin sinh asin arcsin asinh arcsinh tan tanh atan arctan atanh arctanh expm1 log1p sign sgn floor ceil trunc
    round relu erf erfinv deg2rad rad2deg frac signbit isinf isnan isposinf isneginf absolute negative
""".split()
_SYMBOLS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__isub__": "sub_", "__mul__": "mul",
    "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div", "__itruediv__": "div_", "__matmul__": "matmul", "__pow__": "pow",
    "__neg__": "neg", "__abs__": "abs", "true_divide": "div", "multiply": "mul", "subtract": "sub", "_t": "T", "_mt": "T",
    "__getitem__": "getitem", "concat": "cat", "concatenate": "cat", "linalg_matmul": "matmul",
    "type_": "type",
}  # fmt: skip


def operation(func: Any, args: Any, kwargs: Any) -> Any:
    """What a function, method or property of Tensor is for the sparse tensors among its arguments.

    Raises:
        NotImplementedError: sparse tensors have no such operation.
    """
    name = _name_of(func)
    if name in _OF_THE_META:
        with DisableTorchFunctionSubclass():
            return func(*args, **kwargs)
    name = _SYMBOLS.get(name, name)
    found = OPERATIONS.get(name)
    if found is None and name.endswith("_") and not name.endswith("__") and name[:-1] in OPERATIONS:
        return _in_place(name, OPERATIONS[name[:-1]], args, kwargs)
    if found is None:
        raise refusal(name, _first_layout(args, kwargs))
    if kwargs.pop("out", None) is not None:
        raise refusal(f"{name} with out=", _first_layout(args, kwargs))
    return found(*args, **kwargs)


def _name_of(func: Any) -> str:
    owner = getattr(func, "__self__", None)
    if isinstance(owner, property):
        return getattr(owner.fget, "__name__", "a property").strip("_") if func.__name__ == "__get__" else "a property"
    if getattr(func, "__module__", "").startswith("tritonflow._C."):
        return str(func.__qualname__)  # that of the op, such as `linalg_norm`, whose __name__ is `norm` as well
    return str(getattr(func, "__name__", func))


def _first_layout(args: Any, kwargs: Any) -> Any:
    flat = [y for x in (*args, *kwargs.values()) for y in (x if isinstance(x, (list, tuple)) else (x,))]
    return next((x.layout for x in flat if isinstance(x, SparseTensor)), sparse_coo)


def _in_place(name: str, found: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    target = args[0]
    result = found(*args, **kwargs)
    if isinstance(target, SparseTensor):
        if not isinstance(result, SparseTensor):
            raise refusal(name, target.layout)
        return target.become(result)
    if isinstance(result, SparseTensor):
        raise InvalidArgumentError(f"{name}(): a dense tensor cannot become sparse in place; help: other.to_dense()")
    return target.copy_(result)


# ------------------------------------------------------------------------------------------------- copies


def clone(input: Any, *, memory_format: Any = None) -> Any:
    index = tuple(part.clone() for part in input.index)
    return SparseTensor.make(input.layout, index, input.entries.clone(), input.meta.shape, input.coalesced)


def detach(input: Any) -> Any:
    return input.with_entries(input.entries.detach())


def to(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The tensor in another dtype, or on another device."""
    args = tuple(a.entries if isinstance(a, SparseTensor) else a for a in args)
    entries = self.entries.to(*args, **kwargs)
    if entries is self.entries:
        return self
    index = tuple(part.to(entries.device) for part in self.index)
    return SparseTensor.make(self.layout, index, entries, self.meta.shape, self.coalesced)


def _moved(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return to(self, getattr(self.entries, name)(*args, **kwargs))

    return method


def zeros_like(input: Any, **options: Any) -> Any:
    layout = options.pop("layout", None) or input.layout
    if layout is not input.layout:
        return _C.zeros(tuple(input.shape), **{"dtype": input.dtype, "device": input.device, **options})
    entries = _C.zeros((0, *input.entries.shape[1:]), **{"dtype": input.dtype, "device": input.device, **options})
    index = (input.index[0][:, :0],) if input.is_sparse else (input.index[0] * 0, input.index[1][:0])
    return SparseTensor.make(layout, index, entries, input.meta.shape, True)


def copy(self: Any, source: Any, non_blocking: bool = False) -> Any:
    if not isinstance(source, SparseTensor) or not isinstance(self, SparseTensor):
        raise refusal("copy_ between a dense and a sparse tensor", _first_layout((self, source), {}))
    return clone(to(source, self.entries))


# ------------------------------------------------------------------------------------------------- dimensions


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    return conversions.transposed(input, wrap_dim(dim0, input.ndim), wrap_dim(dim1, input.ndim))


def t(input: Any) -> Any:
    if input.ndim > 2:
        raise InvalidArgumentError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return conversions.transposed(input) if input.ndim == 2 else input


def permute(input: Any, *dims: Any) -> Any:
    order = [wrap_dim(d, input.ndim) for d in (dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims)]
    if sorted(order) != list(range(input.ndim)):
        raise InvalidArgumentError(f"permute(): expected an order of {input.ndim} dimensions, got {order}")
    done, now = input, list(range(input.ndim))
    for k, wanted in enumerate(order):
        at = now.index(wanted)
        if at != k:
            done = conversions.transposed(done, k, at)
            now[k], now[at] = now[at], now[k]
    return done


def getitem(self: Any, key: Any) -> Any:
    """Numbers, from the first dimension on."""
    keys = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(k, int) and not isinstance(k, bool) for k in keys):
        raise refusal("indexing by other than numbers", self.layout)
    for k in keys:
        self = arithmetic.select(self, 0, k) if isinstance(self, SparseTensor) else self[k]
    return self


def addmm(input: Any, mat1: Any, mat2: Any, alpha: Any = 1, beta: Any = 1) -> Any:
    return products.addmm(input, mat1, mat2, beta=beta, alpha=alpha)  # in the order of our own signature


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": arithmetic.add, "sub": arithmetic.sub, "mul": arithmetic.mul, "div": arithmetic.div, "pow": arithmetic.pow,
    "sum": lambda input, dim=None, keepdim=False, dtype=None: arithmetic.sum(input, dim, dtype, keepdim),
    "norm": arithmetic.norm, "index_select": arithmetic.index_select, "select": arithmetic.select,
    "cat": arithmetic.cat, "unsqueeze": arithmetic.unsqueeze, "getitem": getitem,
    "mm": products.mm, "mv": products.mv, "matmul": products.matmul, "addmm": addmm,
    "to_dense": conversions.to_dense, "to_sparse": conversions.to_sparse, "coalesce": conversions.coalesce,
    "to_sparse_coo": conversions.to_sparse, "sparse_mask": conversions.sparse_mask,
    "to_sparse_csr": lambda self, dense_dim=None: conversions.to_compressed(self, sparse_csr, dense_dim),
    "to_sparse_csc": lambda self, dense_dim=None: conversions.to_compressed(self, sparse_csc, dense_dim),
    "clone": clone, "detach": detach, "to": to, "zeros_like": zeros_like, "copy": copy, "zero": zeros_like,
    "contiguous": lambda self, memory_format=None: self, "type_as": lambda self, other: to(self, other),
    **{name: _moved(name) for name in ("cpu", "cuda", "double", "float", "half", "bfloat16", "int", "long", "bool", "type")},
    "transpose": transpose, "t": t, "T": t, "permute": permute, "swapaxes": transpose, "swapdims": transpose,
    **{name: arithmetic.elementwise(getattr(_C, name)) for name in _ELEMENTWISE if hasattr(_C, name)},
}  # fmt: skip
