"""Statements that multiply matrices, convolve, pool, normalise, and compute losses."""

from __future__ import annotations

from tests.fuzz.scene import Drawn, Scene, statement


@statement("layers", 5)
def product(s: Scene) -> Drawn:
    x = s.floating(lambda t: 1 <= t.ndim <= 3)
    t = s[x]
    near = s.tensors(lambda y: y.dtype == t.dtype and 1 <= y.ndim <= 3 and t.shape[-1] == (y.shape[-2] if y.ndim > 1 else y.shape[0]))
    y = s.rng.choice(near) if near else s.floating()
    return f"{s.fresh()} = {x} @ {y}"


@statement("layers", 2)
def linear(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim >= 1)
    t = s[x]
    weight = s.pick(lambda w: w.dtype == t.dtype and w.ndim == 2 and w.shape[1] == t.shape[-1])
    bias = s.tensors(lambda b: b.dtype == t.dtype and b.ndim == 1 and b.shape[0] == s[weight].shape[0])
    return f"{s.fresh()} = lib.nn.functional.linear({x}, {weight}{', ' + s.rng.choice(bias) if bias else ''})"


@statement("layers", 2)
def normalised(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim >= 1 and t.numel() > 0 and t.shape[-1] > 1)
    return f"{s.fresh()} = lib.nn.functional.layer_norm({x}, ({s[x].shape[-1]},), eps=0.1)"


@statement("layers", 2)
def batch_normalised(s: Scene) -> Drawn:
    x = s.floating(lambda t: 2 <= t.ndim <= 3 and t.numel() > 0 and t.shape[0] > 1)
    return f"{s.fresh()} = lib.nn.functional.batch_norm({x}, None, None, training=True, eps=0.1)"


@statement("layers", 2)
def convolved(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 3 and t.numel() > 0)
    weight = s.literal((2, s[x].shape[1], s.rng.randint(1, 3)), str(s[x].dtype)[6:])
    return f"{s.fresh()} = lib.nn.functional.conv1d({x}, {weight}, padding={s.rng.randint(0, 2)}, stride={s.rng.randint(1, 2)})"


@statement("layers")
def convolved_back(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 2 and t.numel() > 0)
    if str(s[x].dtype) == "torch.bfloat16":
        return None  # torch's own ends the process where the taps reach beyond the input
    n, d = s.rng.randint(1, 3), s.rng.randint(1, 3)
    weight = s.literal((1, 2, 2, n), str(s[x].dtype)[6:])
    stride = s.rng.randint(1, 3)
    more = f"stride={stride}, padding={s.rng.randint(0, 1)}, dilation={d}, output_padding={s.rng.randint(0, max(stride, d))}"
    return f"{s.fresh()} = lib.nn.functional.conv_transpose2d({x}[None, None], {weight}, {more})"


@statement("layers", 2)
def pooled(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 3 and t.numel() > 0)
    if not s.is_exact(x):
        return None
    size = s.rng.randint(1, 3)
    how = s.rng.choice((f"max_pool1d({x}, {size}, {s.rng.randint(1, 2)}, {s.rng.randint(0, 1)})", f"avg_pool1d({x}, {size}, {s.rng.randint(1, 2)}, {s.rng.randint(0, 1)})",
        f"adaptive_avg_pool1d({x}, {size})"))  # fmt: skip
    return f"{s.fresh()} = lib.nn.functional.{how}"


@statement("layers", 2)
def activated(s: Scene) -> Drawn:
    x = s.floating()
    kinks = ("relu", "leaky_relu", "hardtanh", "relu6", "hardswish")
    op = s.rng.choice(("gelu", "silu", "softplus", "elu", "mish", "selu", "logsigmoid", *kinks))
    return f"{s.fresh()} = lib.nn.functional.{op}({x})" if op not in kinks or s.is_exact(x) else None


@statement("layers", 2)
def lost(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 2 and t.numel() > 0)
    target = f"lib.tensor({[s.rng.randrange(s[x].shape[1]) for _ in range(s[x].shape[0])]})"
    how = s.rng.choice((f"cross_entropy({x}, {target})", f"cross_entropy({x}, {target}, reduction='none')", f"mse_loss({x}, {x} * 0.5)",
        f"cross_entropy({x}, {target}, ignore_index=1, reduction='sum')", f"nll_loss({x}, {target})"))  # fmt: skip
    return f"{s.fresh()} = lib.nn.functional.{how}"


@statement("layers")
def padded(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    return f"{s.fresh()} = lib.nn.functional.pad({x}, ({s.rng.randint(-1, 2)}, {s.rng.randint(-1, 2)}), value={s.rng.choice(('0', '1.5'))})"


@statement("layers")
def embedded(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 2 and t.numel() > 0)
    index = [s.rng.randrange(s[x].shape[0]) for _ in range(3)]
    return f"{s.fresh()} = lib.nn.functional.embedding(lib.tensor({index}), {x})"


@statement("layers")
def attended(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.ndim == 3 and t.numel() > 0)
    return f"{s.fresh()} = lib.nn.functional.scaled_dot_product_attention({x}, {x}, {x}, is_causal={s.rng.random() < 0.5})"
