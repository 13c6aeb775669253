"""How a sparse tensor prints: as torch's do."""

from __future__ import annotations

from typing import Any

from tritonflow.members import printing
from tritonflow.sparse.tensor import SparseTensor

_NAMES = {"sparse_coo": ("indices",), "sparse_csr": ("crow_indices", "col_indices"), "sparse_csc": ("ccol_indices", "row_indices")}


def representation(x: SparseTensor) -> str:
    """The text of a sparse tensor: its parts, size, entries, dtype and layout."""
    names = _NAMES[x.layout.name]
    parts = [f"{name}={_numbers(part, len(name))}" for name, part in zip(names, x.index)]
    parts.append(f"values={_numbers(x.entries.detach(), len('values'))}")
    facts = [f"size={tuple(x.shape)}", f"nnz={x._nnz()}"]
    if x.entries.meta.device.type != "cpu":
        facts.insert(0, f"device='{x.device}'")
    if not printing._is_default(x.entries):
        facts.append(f"dtype={x.dtype}")
    facts.append(f"layout={x.layout!r}")
    node = x.grad_fn
    facts += [f"grad_fn=<{node.name()}>"] if node is not None else ["requires_grad=True"] if x.requires_grad else []
    text = "tensor(" + (",\n" + " " * 7).join(parts)
    return printing._with_parts(text + ",\n" + " " * 7 + facts[0], facts[1:], 7)


def _numbers(part: Any, width: int) -> str:
    """The numbers of a part, without dtype and device, whose further lines begin below the first."""
    if not part.numel():
        return f"tensor([], size={tuple(part.shape)})"
    text = repr(part.cpu())
    for end in (", dtype=", ",\n       dtype="):
        text = text.partition(end)[0]
    text = text if text.endswith(")") else text + ")"
    return text.replace("\n", "\n" + " " * (width + 8))
