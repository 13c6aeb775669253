"""What ops make of complex numbers, by names of ops: one table, which is loaded with the first complex number.

`movement` has ops that move elements or are linear over the real numbers: they run on the pairs. `arithmetic` has formulas on real
and imaginary parts. `products` has sums, products and products of matrices.
"""

from __future__ import annotations

from collections.abc import Mapping

from tritonflow.interpreter.complex_numbers import Form
from tritonflow.rules.complex_forms import arithmetic, movement, products
from tritonflow.rules.complex_forms.movement import write_over as write_over


def forms() -> Mapping[str, Form]:
    """The forms of all ops that take complex numbers."""
    return {**movement.FORMS, **arithmetic.FORMS, **products.FORMS}
