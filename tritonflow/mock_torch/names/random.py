"""`torch.random`: the states of generators are tensors of bytes, as programs store them in checkpoints."""

from __future__ import annotations

import struct
from typing import Any

import tritonflow as flow
from tritonflow.functions import random_generator
from tritonflow.functions.random_generator import default_generator

_FORMAT = "<QQ"  # the seed, and how many numbers were drawn


def state_to_tensor(state: tuple[int, int]) -> Any:
    """A generator's state as a tensor of 16 bytes."""
    return flow.tensor(list(struct.pack(_FORMAT, state[0] & (2**64 - 1), state[1])), dtype=flow.uint8, device="cpu")


def tensor_to_state(value: Any) -> tuple[int, int]:
    """The state that `state_to_tensor` was given."""
    if isinstance(value, (tuple, list)):
        return (value[0], value[1])
    if not isinstance(value, flow.Tensor) or value.dtype is not flow.uint8:
        raise TypeError("RNG state must be a torch.ByteTensor")
    if tuple(value.shape) != (struct.calcsize(_FORMAT),):
        raise RuntimeError("RNG state is wrong size")
    seed, drawn = struct.unpack(_FORMAT, bytes(value.tolist()))
    return seed, drawn


class _AnyGenerator(type):
    """The default generators are generators, too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, random_generator.Generator)


class Generator(random_generator.Generator, metaclass=_AnyGenerator):
    """`flow.Generator`, whose state is a tensor of bytes."""

    def get_state(self) -> Any:
        """The state as a tensor."""
        return state_to_tensor(super().get_state())

    def set_state(self, state: Any) -> None:
        """Go on where `get_state` was called."""
        super().set_state(tensor_to_state(state))


def get_rng_state() -> Any:
    """The state of the CPU's generator."""
    return state_to_tensor(flow.get_rng_state())


def set_rng_state(new_state: Any) -> None:
    """Set the state of the CPU's generator."""
    seed, drawn = tensor_to_state(new_state)
    flow.set_rng_state((seed, drawn))


def manual_seed(seed: Any) -> random_generator.Generator:
    """Seed the default generators of every device."""
    return flow.manual_seed(int(seed))


__all__ = ["default_generator", "get_rng_state", "manual_seed", "set_rng_state", "state_to_tensor", "tensor_to_state"]
default_generator = default_generator(flow.device("cpu"))  # type: ignore[assignment]
