"""The planner of the next tokens of rows of logits."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import float32, int32, int64
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Operands, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.random import advance

kernels = KernelModule("sampling")

SETTINGS = 7
MESSAGE = (
    "sample_tokens(): a temperature is negative, a top_p or min_p is not between 0 and 1, or a repetition_penalty is not positive"
)


def sample_tokens(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """Tokens from (logits, seven settings, prompt mask, counts, seeds, steps, generator's state, notes, biases, words).

    Dynamic: the settings.

    Absent settings are dynamic scalars.
    """
    logits, *others = inputs
    prompt, counts, seeds, steps, state, notes, _, _ = others[SETTINGS:]
    assert logits is not None
    rows, cols = logits.shape
    settings = tuple([_setting(k, meta) for k, meta in enumerate(others[:SETTINGS])])
    first = SETTINGS + 1
    source: tuple[Operands, ...] = (Input(first + 4), Input(first + 4), Input(first + 4))
    if seeds is not None:
        source = (Input(first + 2), *optional(steps, Input(first + 3)))
    noted: tuple[Operands, ...] = () if notes is None else (Input(first + 5), Input(first + 7), Input(first + 6))
    operands = (
        Input(0), settings, optional(prompt, Input(first)), optional(counts, Input(first + 1)), noted, source, Output(0),
        Workspace(0), ERROR_WORD,
    )  # fmt: skip
    options = dict(kernels.config(facts_of(logits.device), cols))
    warps = options.pop("num_warps")
    out = contiguous_meta((rows,), int64, logits.device)
    work = 16 * rows * cols
    launches = [Launch(kernels.sample, (rows,), operands, (cols, logits.stride[0]), options, work=work, num_warps=warps)]
    if state is not None:
        launches.append(advance(Input(first + 4), 4 * rows))
    return Plan(inputs, (out,), launches, [(rows * cols, float32)], index_check=MESSAGE, check_error=ArgumentValueError)


def _setting(k: int, meta: TensorMeta | None) -> Operands:
    if meta is not None:
        return Input(1 + k)
    return Scalar(k, int32 if k == 1 else float32)
