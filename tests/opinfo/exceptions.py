"""Where `flow` is known to differ from torch in torch's own samples, and why: (infos, form, text in the fault or the sample, reason)."""

from __future__ import annotations

import re

from .check import Outcome

EXCEPTIONS: tuple[tuple[str, str, str, str], ...] = (
    (".*", "errors", "not here: torch.sparse", "tests/sparse compares sparse tensors"),
    ("__r.*__", "errors", "", "the samples call the method of a number"),
    ("logical_(and|or|xor)", "errors", "int64[3], 2", "a number is taken as an operand, as in OneFlow"),
    ("addbmm", "inplace", "must have the shape of the product", "torch gives the input the shape of the product"),
    ("as_strided_scatter", "gradient", "", "torch's gradient of the input is not 0 where src overwrites it"),
    ("cholesky_(inverse|solve)", "gradient", "", "torch's gradient has elements beside the triangle that is read"),
    ("cholesky_(inverse|solve)", "second", "", "torch's gradient has elements beside the triangle that is read"),
    ("(linalg[.])?cholesky(_ex)?", "gradient", "complex128[5, 5], upper=True", "the imaginary gradients of an upper factor's diagonal have another sign"),
    ("(linalg[.])?cholesky(_ex)?", "gradient", "complex128[2, 5, 5], upper=True", "the imaginary gradients of an upper factor's diagonal have another sign"),
    ("(linalg[.])?cholesky(_ex)?", "second", "complex128[5, 5], upper=True", "the imaginary gradients of an upper factor's diagonal have another sign"),
    ("(linalg[.])?cholesky(_ex)?", "second", "complex128[2, 5, 5], upper=True", "the imaginary gradients of an upper factor's diagonal have another sign"),
    ("(masked[._])?logaddexp", "second", "NaN", "torch's is NaN at -inf, where the limit is 0"),
    ("linalg.norm", "second", "of 0, 5 NaN float64[5], 0.5", "a norm of order 0.5 has no derivatives at 0; the first is 0 in torch, too"),
    ("nn.functional.linear_cross_entropy.*", "second", "", "torch's chunked path has no second derivative"),
    ("nn.functional.linear_cross_entropy.*", "forward", "bfloat16", "the logits are rounded to bfloat16 in another order"),
    ("nn.functional.fractional_max_pool2d", "", "_random_samples", "the samples are outside [0, 1)"),
    ("special.bessel_(j0|j1|y0|y1)", "forward", "float64", "torch's err by 4e-7"),
    ("(lin|log)space", "errors", "must be scalar, not Tensor", "a TypeError says what is wrong"),
    ("narrow_copy", "errors", "Dimension out of range", "an IndexError, as everywhere else in torch"),
    ("masked_fill", "errors", "1j", "a TypeError says what is wrong"),
    ("slice", "", "", "torch has it for compilers; flow.slice is OneFlow's"),
    ("histogramdd", "out", "", "torch's samples have no out= for it either"),
    ("cov", "", "aweights=float32", "weights in float32, and n - correction near 0"),
)


def reason_of(info_name: str, outcome: Outcome) -> str | None:
    """Why an outcome is no fault of `flow`'s; None if nothing says so."""
    said = f"{outcome.fault} {outcome.sample}"
    for names, form, text, reason in EXCEPTIONS:
        if re.fullmatch(names, info_name) and outcome.form.startswith(form) and text in said:
            return reason
    return None
