"""Tests of torch that have no situation here, by torch's file and by reason.

Counted by name in test/dynamo of Ascend/pytorch at 9e73e708ab93, which has torch's files for another device. A test counts as left
out where its name says that it is about one of the reasons below. All others have a situation here, or one that is alike.

From torch's main branch parts of these files have been read as well, and have situations, but are not in the counts: test_misc,
test_functions, test_dicts, test_generator, test_exceptions, test_ctx_manager, test_modules, test_optimizers,
inductor/test_compiled_optimizers, functorch/test_aotdispatch (inputs and results that share memory).
"""

from __future__ import annotations

INTERNALS = "Dynamo's own parts: bytecode, guards' texts, FX graphs, caches, counters of frames"
OPTIONS = "options of torch's compiler: config flags, mark_dynamic, disallow_in_graph, stances"
SYMBOLIC = "symbolic shapes and what is known of them: here a shape is a kind of call"
DEVICES = "other devices, streams, several processes"
EXPORT = "export, TorchScript, ONNX, packages, quantization"
SUBCLASSES = "subclasses of tensors with __torch_function__ or __torch_dispatch__, fake and sparse tensors"
KERNELS = "kernels and ops of one's own: tests/graph/test_own_kernels.py has them"
CONTROL = "ops of control flow (cond, map, wrap), which are not here"
NUMPY = "functions of NumPy, which torch computes as its own: here they are NumPy's"
MODELS = "parts of large models: tests/graph/test_models.py has such"

REASONS = (INTERNALS, OPTIONS, SYMBOLIC, DEVICES, EXPORT, SUBCLASSES, KERNELS, CONTROL, NUMPY, MODELS)

# By torch's file: how many tests it has, and how many of them are left out.
TESTS: dict[str, tuple[int, dict[str, int]]] = {
    "test_misc": (
        382,
        {INTERNALS: 55, OPTIONS: 18, SYMBOLIC: 11, EXPORT: 9, NUMPY: 28, SUBCLASSES: 8, CONTROL: 6, DEVICES: 4},
    ),
    "test_functions": (
        230,
        {EXPORT: 4, DEVICES: 5, INTERNALS: 2, MODELS: 1, SUBCLASSES: 4, SYMBOLIC: 2, CONTROL: 1, NUMPY: 16, KERNELS: 17},
    ),
    "test_repros": (169, {MODELS: 28, OPTIONS: 3, SYMBOLIC: 12, INTERNALS: 7, SUBCLASSES: 4, EXPORT: 1, NUMPY: 2}),
    "test_hooks": (23, {}),
    "test_modules": (101, {INTERNALS: 3, SUBCLASSES: 2, OPTIONS: 3}),
    "test_optimizers": (4, {}),
    "test_ctx_manager": (36, {DEVICES: 5}),
    "test_autograd_function": (20, {SUBCLASSES: 1, SYMBOLIC: 1}),
    "test_higher_order_ops": (138, {INTERNALS: 12, SYMBOLIC: 4, CONTROL: 26, NUMPY: 1, OPTIONS: 2, DEVICES: 1}),
    "test_subgraphs": (44, {INTERNALS: 1, SYMBOLIC: 5}),
    "test_decorators": (12, {OPTIONS: 6, KERNELS: 1, INTERNALS: 2}),
    "test_global": (11, {}),
    "test_unspec": (26, {NUMPY: 2, DEVICES: 1, SYMBOLIC: 8, OPTIONS: 1}),
    "test_subclasses": (31, {SUBCLASSES: 18, OPTIONS: 2, SYMBOLIC: 3, INTERNALS: 1, DEVICES: 1}),
    "test_aot_autograd": (24, {MODELS: 1, INTERNALS: 2, EXPORT: 1}),
    "test_input_attr_tracking": (12, {}),
    "test_python_autograd": (5, {}),
    "test_activation_checkpointing": (21, {SYMBOLIC: 1, OPTIONS: 2, DEVICES: 1}),
    "test_base_output": (6, {}),
    "test_model_output": (9, {MODELS: 2}),
    "test_recompiles": (8, {SYMBOLIC: 3, OPTIONS: 1}),
    "test_skip_non_tensor": (8, {OPTIONS: 1}),
    "test_interop": (4, {EXPORT: 3}),
    "test_compile": (6, {INTERNALS: 2, EXPORT: 1}),
    "test_nops": (1, {INTERNALS: 1}),
}


def left_out_by_reason() -> dict[str, int]:
    return {reason: sum(left_out.get(reason, 0) for _, left_out in TESTS.values()) for reason in REASONS}
