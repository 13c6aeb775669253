"""The planners of the CTC loss and of its gradient."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import int32
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.loss import sized_message
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Output, Workspace
from tritonflow.ops.plan import Launch, Plan

Metas = tuple[TensorMeta, ...]

kernels = KernelModule("ctc")

OUT_OF_BOUNDS = "ctc_loss: targets must be class indices in [0, {})"


def ctc_loss(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(log_probs (T, N, C), labels (N, L), steps (N), labels of each (N)) -> (loss (N), alpha (N, T, 2 L + 1)).

    attributes: (blank, whether an infinite loss is 0)
    """
    log_probs, labels = inputs[:2]
    blank, zero_infinity = attrs
    steps, samples, classes = log_probs.shape
    longest = labels.shape[1]
    loss = contiguous_meta((samples,), log_probs.dtype, log_probs.device)
    alpha = contiguous_meta((samples, steps, 2 * longest + 1), log_probs.dtype, log_probs.device)
    operands = (*Input.several(4), *Output.several(2), Workspace(0), ERROR_WORD)
    options = {"ZERO_INFINITY": zero_infinity, **kernels.state_block(longest)}
    sizes = (blank, steps, samples, classes, longest)
    launch = Launch(kernels.ctc_alpha, (samples,), operands, sizes, options, work=8 * alpha.numel)
    workspaces = [(max(samples, 1) * (2 * longest + 1), int32)]
    return Plan(inputs, (loss, alpha), [launch], workspaces, index_check=sized_message(OUT_OF_BOUNDS, classes))


def ctc_loss_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(grad (N), then inputs and alpha of ctc_loss) -> the gradient of log_probs; attributes: those of ctc_loss."""
    _, log_probs, labels, _, _, alpha = inputs
    blank, zero_infinity = attrs
    steps, samples, classes = log_probs.shape
    longest, width = labels.shape[1], alpha.shape[2]
    dx = contiguous_meta(log_probs.shape, log_probs.dtype, log_probs.device)
    sizes = (blank, steps, samples, classes, longest)
    beta, shares, states = Workspace.several(3)
    workspaces = [(2 * samples * width, dx.dtype), (alpha.numel, dx.dtype), (samples * width, int32)]
    operands = (*Input.several(5, 1), beta, shares, states, ERROR_WORD)
    back = Launch(kernels.ctc_beta, (samples,), operands, sizes, kernels.state_block(longest), work=8 * alpha.numel)
    blocks = kernels.gradient_blocks(classes)
    operands = (Input(0), Input(1), Input(3), Input(4), Input(5), shares, states, Output(0))
    tiles = samples * -(-steps // blocks["TIMES"])
    options = {"ZERO_INFINITY": zero_infinity, **blocks}
    work = dx.numel + 2 * alpha.numel
    add_up = Launch(kernels.ctc_gradient, (tiles,), operands, sizes, options, work=work)
    message = sized_message(OUT_OF_BOUNDS, classes)
    return Plan(inputs, (dx,), [back, add_up] if dx.numel else [], workspaces if dx.numel else [], index_check=message)
