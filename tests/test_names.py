"""Names of classes: each is used once in the package, so that a word in a text or a traceback leads to one class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "tritonflow"
TORCHS = PACKAGE / "mock_torch" / "names"  # whose classes are named by torch

# Names that several classes have, and why.
SHARED = {
    "AuxRequest": "torch has one for flex_attention and one for varlen_attn",
    "Buffer": "what a rank sends or receives; of a graph's plan of memory",
    "Block": "of memory; MLIR's word in the compiler's IR",
    "Engine": "flow.generation.Engine is public; of the virtual machine",
    "Event": "flow.cuda.Event is public, and so is Triton's interface of a device",
    "Function": "flow.autograd.Function is public; MLIR's word; what the generator writes",
    "Graph": "flow.nn.Graph is public; the graph IR",
    "Identity": "flow.nn.Identity is public, and so is flow.nn.utils.prune.Identity",
    "Join": "flow.nn.parallel.Join is public; of the graph IR",
    "Op": "of the registry; MLIR's word in the compiler's IR",
    "Parameter": "flow.nn.Parameter is public; of a signature",
    "Request": "flow.generation.Request is public; what a search of the benchmarks asks for",
    "Stream": "flow.cuda.Stream is public",
    "Term": "of an einsum; of a linear formula",
    "Value": "of the graph IR; MLIR's word in the compiler's IR",
    "Work": "torch.distributed's, a collective that was issued; what a kernel does, for its price",
}


def test_a_class_name_is_used_once() -> None:
    files = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] != "kernels" and not path.is_relative_to(TORCHS):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    files[node.name].append(str(path.relative_to(PACKAGE)))
    found = {name: paths for name, paths in files.items() if len(paths) > 1 and name not in SHARED}
    assert not found, "rename one of these classes, or give the reason in SHARED"


def test_nothing_reads_reference_counts() -> None:
    """They differ between versions of Python."""
    assert not [str(path) for path in PACKAGE.rglob("*.py") if "getrefcount" in path.read_text()]
