"""Products in TF32, as a GPU makes them: of each float32 operand the matrix units read the first 19 bits, and drop the others."""

from __future__ import annotations

import re

_DOT = re.compile(
    r"^(?P<indent> *)(?P<result>%\S+) = tt\.dot (?P<a>%[^,]+), (?P<b>%[^,]+), (?P<rest>%[^,]+, inputPrecision = tf32 :"
    r" tensor<(?P<left>[0-9x]+)xf32> \* tensor<(?P<right>[0-9x]+)xf32> .*)$",
    re.MULTILINE,
)
_DROPPED = -(1 << 13)  # a mask without the last 13 bits


def cut(ttir: str) -> str:
    """The text of a kernel whose products in TF32 have operands of 19 bits."""

    def product(match: re.Match[str]) -> str:
        indent, result = match["indent"], match["result"]
        lines = []
        for side, operand, shape in (("a", match["a"], match["left"]), ("b", match["b"], match["right"])):
            name, bits, floats = f"{result}_tf32_{side}", f"tensor<{shape}xi32>", f"tensor<{shape}xf32>"
            lines += [
                f"{name}_bits = tt.bitcast {operand} : {floats} -> {bits}",
                f"{name}_mask = arith.constant dense<{_DROPPED}> : {bits}",
                f"{name}_kept = arith.andi {name}_bits, {name}_mask : {bits}",
                f"{name} = tt.bitcast {name}_kept : {bits} -> {floats}",
            ]
        lines.append(f"{result} = tt.dot {result}_tf32_a, {result}_tf32_b, {match['rest']}")
        return "\n".join(indent + line for line in lines)

    return _DOT.sub(product, ttir)
