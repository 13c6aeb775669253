"""The most that a device can compute: a loop of multiply-adds that touches no memory."""

import triton
import triton.language as tl

OPERATIONS = 20  # of a lane in a step


def config(device):
    """Enough programs and steps to outlast a launch by far; as many lanes as hide the latency of ten chains."""
    if device == "cuda":
        return {"constexprs": {"BLOCK": 256}, "programs": 8192, "steps": 4096, "num_warps": 4}
    return {"constexprs": {"BLOCK": 32}, "programs": 64, "steps": 4096, "num_warps": 4}


@triton.jit
def multiply_adds(out, steps, BLOCK: tl.constexpr):
    """Each lane computes ten numbers, none of which waits for another: OPERATIONS * BLOCK * steps in a program."""
    lanes = tl.arange(0, BLOCK)
    x = lanes.to(tl.float32) * 1e-9 + 0.999
    a, b, c, d, e = x, x + 1, x + 2, x + 3, x + 4
    f, g, h, i, j = x + 5, x + 6, x + 7, x + 8, x + 9
    for _ in range(steps):
        a = a * x + 0.001
        b = b * x + 0.001
        c = c * x + 0.001
        d = d * x + 0.001
        e = e * x + 0.001
        f = f * x + 0.001
        g = g * x + 0.001
        h = h * x + 0.001
        i = i * x + 0.001
        j = j * x + 0.001
    total = (a + b + c + d + e) + (f + g + h + i + j)
    tl.store(out + tl.program_id(0) * BLOCK + lanes, total)
