"""Which function each Tensor method calls, and which methods are operators of two operands."""

from __future__ import annotations

from tritonflow.binding.signature import SchemaError, snake
from tritonflow.registry.schema import Entry

_BINARY = "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul divmod".split()
_COMPARISONS = "eq ne lt le gt ge".split()
INPLACE_OPERATORS = {f"__i{n}__" for n in _BINARY}
_REFLECTED = {f"__r{n}__" for n in _BINARY} | {"__rdiv__"}  # Python 2's name of __rtruediv__, which torch keeps
BINARY_OPERATORS = {f"__{n}__" for n in _BINARY + _COMPARISONS} | _REFLECTED
OPERATORS = BINARY_OPERATORS | INPLACE_OPERATORS


def method_table(entry: Entry) -> dict[str, str]:
    """The function of every Tensor method of an entry: an operator of two operands has one of its own name."""
    return {m: m if m in OPERATORS else _function_for(entry, m) for m in entry.methods}


def _function_for(entry: Entry, method: str) -> str:
    """The function that a method calls: the in-place one for `relu_` and `__iadd__`, otherwise the entry's own."""
    if method in INPLACE_OPERATORS or (method.endswith("_") and not method.endswith("__") and method != entry.name):
        wanted = f"{entry.name}_"
        if wanted not in entry.methods:
            raise SchemaError(f"{entry.name}: method {method} needs {wanted} among the methods")
        return wanted
    return entry.name


def functions_of(entry: Entry) -> list[str]:
    """The texts of an entry's operators of two operands."""
    return [_operator(entry, method) for method in entry.methods if method in OPERATORS]


def _operator(entry: Entry, method: str) -> str:
    """A method of two operands, without the parameters that an operator cannot be given."""
    reflected, inplace = method in _REFLECTED, method in INPLACE_OPERATORS
    first, second = (1, 0) if reflected else (0, 1)
    call = f"{_function_for(entry, method)}({'other, self' if reflected else 'self, other'})"
    lines = [f"def {method}(self, other):", f'    """The operator of `{entry.name}`, which says more."""']
    for signature in entry.signatures:
        positional = signature.positional
        if len(positional) < 2 or any(p.required for p in signature.parameters if p not in positional[:2]):
            continue
        if positional[first].type.name != "Tensor" or positional[second].type.name not in ("Tensor", "Scalar"):
            continue
        is_tensor = positional[second].type.name == "Tensor"
        if is_tensor and reflected or inplace and not signature.inplace:
            continue  # two tensors never come here; what is copied over the tensor is the function's
        test = "other.__class__ is _Tensor" if is_tensor else "other.__class__ is float or other.__class__ is int"
        arguments = "other, self" if reflected else "self, other, inplace=True" if inplace else "self, other"
        lines += [f"    if {test}:", f"        return _{snake(signature.functor)}({arguments})"]
    function = _function_for(entry, method)
    lines += ["    if isinstance(other, _FOREIGN):", f'        return _with_foreign("{method}", {function}, self, other)']
    if method in ("__eq__", "__ne__"):
        lines += ["    try:", f"        return {call}", "    except TypeError:"]
        lines += ['        if hasattr(other, "__array__"):', "            raise", "        return NotImplemented"]
    else:
        lines.append(f"    return {call}")
    return "\n".join(lines)
