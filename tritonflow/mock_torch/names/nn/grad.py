"""`torch.nn.grad`: the gradients of convolutions as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow


def _of_input(convolution: Callable[..., Any]) -> Callable[..., Any]:
    def gradient(
        input_size: Any, weight: Any, grad_output: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Any:
        with flow.enable_grad():
            x = weight.new_zeros(tuple(input_size)).requires_grad_()
            y = convolution(x, weight.detach(), None, stride, padding, dilation, groups)
            return flow.autograd.grad(y, x, grad_output)[0]

    return gradient


def _of_weight(convolution: Callable[..., Any]) -> Callable[..., Any]:
    def gradient(
        input: Any, weight_size: Any, grad_output: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Any:
        with flow.enable_grad():
            w = input.new_zeros(tuple(weight_size)).requires_grad_()
            y = convolution(input.detach(), w, None, stride, padding, dilation, groups)
            return flow.autograd.grad(y, w, grad_output)[0]

    return gradient


conv1d_input, conv1d_weight = _of_input(flow.nn.functional.conv1d), _of_weight(flow.nn.functional.conv1d)
conv2d_input, conv2d_weight = _of_input(flow.nn.functional.conv2d), _of_weight(flow.nn.functional.conv2d)
conv3d_input, conv3d_weight = _of_input(flow.nn.functional.conv3d), _of_weight(flow.nn.functional.conv3d)
