"""graph.py's training steps in jax: the same models, losses and optimizers, begun with the same parameters, one jax.jit a step.

Written as jax's users do: products with (in, out) matrices, convolutions over NHWC pictures, parameters and state donated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax import lax

Parameters = dict[str, Any]


def linear(p: Parameters, name: str, x: Any) -> Any:
    return x @ p[f"{name}.weight"] + p[f"{name}.bias"]


def layer_norm(p: Parameters, name: str, x: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.weight"] + p[f"{name}.bias"]


def convolution(p: Parameters, name: str, x: Any) -> Any:
    y = lax.conv_general_dilated(x, p[f"{name}.weight"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y + p[f"{name}.bias"]


def halved(x: Any) -> Any:
    """The largest of each 2x2 pixels."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def mlp(p: Parameters, x: Any) -> Any:
    return linear(p, "4", jax.nn.relu(linear(p, "2", jax.nn.relu(linear(p, "0", x)))))


def cnn(p: Parameters, x: Any) -> Any:
    x = halved(jax.nn.relu(convolution(p, "0", x.transpose(0, 2, 3, 1))))
    x = halved(jax.nn.relu(convolution(p, "3", x)))
    return linear(p, "7", x.reshape(len(x), -1))


def block(p: Parameters, x: Any, name: str = "", heads: int = 4, causal: bool = False) -> Any:
    b, t, d = x.shape
    qkv = linear(p, f"{name}qkv", layer_norm(p, f"{name}norm1", x)).reshape(b, t, 3, heads, -1)
    y = jax.nn.dot_product_attention(*qkv.transpose(2, 0, 1, 3, 4), is_causal=causal)
    x = x + linear(p, f"{name}out", y.reshape(b, t, d))
    y = jax.nn.gelu(linear(p, f"{name}up", layer_norm(p, f"{name}norm2", x)), approximate=False)
    return x + linear(p, f"{name}down", y)


def gpt(p: Parameters, x: Any) -> Any:
    y = p["tokens.weight"][x] + p["places.weight"]
    for layer in range(6):
        y = block(p, y, f"blocks.{layer}.", heads=6, causal=True)
    y = linear(p, "head", layer_norm(p, "norm", y))
    return y.reshape(-1, y.shape[-1])


def entropy(y: Any, labels: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(y), labels[:, None], axis=1).mean()


def square(y: Any, target: Any) -> Any:
    return ((y - target) ** 2).mean()


def momentum(p: Any, g: Any, state: Any) -> tuple[Any, Any]:
    """SGD with lr 0.01 and a momentum of 0.9."""
    velocity = jax.tree.map(lambda v, d: 0.9 * v + d, state, g)
    return jax.tree.map(lambda w, v: w - 0.01 * v, p, velocity), velocity


def adam(p: Any, g: Any, state: Any, decay: float = 0.0) -> tuple[Any, Any]:
    """Adam with lr 1e-4; AdamW with a decay."""
    first, second, count = state
    count = count + 1
    first = jax.tree.map(lambda m, d: 0.9 * m + 0.1 * d, first, g)
    second = jax.tree.map(lambda v, d: 0.999 * v + 0.001 * d * d, second, g)
    rate, scale = 1e-4 / (1 - 0.9**count), lax.rsqrt(1 - 0.999**count)

    def moved(w: Any, m: Any, v: Any) -> Any:
        return w * (1 - 1e-4 * decay) - rate * m / (jnp.sqrt(v) * scale + 1e-8)

    return jax.tree.map(moved, p, first, second), (first, second, count)


STEPS = {
    "mlp": (mlp, entropy, momentum),
    "block": (block, square, adam),
    "cnn": (cnn, entropy, momentum),
    "gpt": (gpt, entropy, partial(adam, decay=0.01)),
}


def parameters(case: str, state: dict[str, numpy.ndarray]) -> Parameters:
    """torch's parameters in jax's layouts."""
    result = {}
    for name, value in state.items():
        if case == "cnn" and name == "7.weight":  # behind (H, W, C) instead of (C, H, W)
            value = value.reshape(10, 64, 7, 7).transpose(0, 2, 3, 1).reshape(10, -1)
        if value.ndim == 4:
            value = value.transpose(2, 3, 1, 0)
        elif value.ndim == 2 and not name.startswith(("tokens", "places")):
            value = value.T
        result[name] = jnp.array(value)
    return result


def step(case: str, state: dict[str, numpy.ndarray], x: numpy.ndarray, target: numpy.ndarray) -> Callable[[], Any]:
    """A training step; a call takes one and gives its loss, perhaps before it is known."""
    model, loss_of, optimizer = STEPS[case]
    held = [parameters(case, state), None]
    data = jnp.array(x), jnp.array(target)

    def memory(p: Parameters) -> Any:
        """What the optimizer begins with; made in the first step, as torch's are."""
        zeros = [jax.tree.map(jnp.zeros_like, p) for _ in range(2)]
        return zeros[0] if optimizer is momentum else (*zeros, jnp.zeros(()))

    @partial(jax.jit, donate_argnums=(0, 1))
    def train(p: Any, state: Any, x: Any, target: Any) -> tuple[Any, Any, Any]:
        loss, gradients = jax.value_and_grad(lambda p: loss_of(model(p, x), target))(p)
        return *optimizer(p, gradients, state), loss

    def take() -> Any:
        if held[1] is None:
            held[1] = memory(held[0])
        held[0], held[1], loss = train(*held, *data)
        return loss

    return take
