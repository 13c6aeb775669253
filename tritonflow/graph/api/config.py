"""How a graph is captured: `graph.config`."""

from __future__ import annotations

from tritonflow.dtypes import DType, bfloat16, float16
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.graph.api.zero import Zero


class GraphConfig:
    """The settings of a graph, which may be changed at any time; the next call heeds them.

    Source: https://oneflow.readthedocs.io/en/v0.9.0/graph.html

    Example:
        >>> import tritonflow as flow
        >>> class Train(flow.nn.Graph):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.config.enable_amp(True, dtype=flow.bfloat16)
        ...         self.config.set_gradient_accumulation_steps(4)
        >>> Train().config  # doctest: +ELLIPSIS
        GraphConfig(training=False, amp_dtype=tritonflow.bfloat16, gradient_accumulation_steps=4, ..., zero=None, without=[])
    """

    def __init__(self) -> None:
        self._training = False  # set by the graph
        self.amp_dtype: DType | None = None
        self.gradient_accumulation_steps = 1
        self.tuning = False
        self.values = False
        self.zero: Zero | None = None
        self.without: set[str] = set()  # names of passes that are not to run

    @property
    def training(self) -> bool:
        """Whether the graph was given an optimizer; `build` may ask, as in OneFlow."""
        return self._training

    def enable_amp(self, mode: bool = True, *, dtype: DType = float16) -> None:
        """Capture `build` under `flow.autocast` with this dtype, float16 or bfloat16.

        Raises:
            TypeError: another dtype.
        """
        if dtype not in (float16, bfloat16):
            raise ArgumentTypeError(f"enable_amp(): dtype must be float16 or bfloat16, not {dtype}")
        self.amp_dtype = dtype if mode else None

    def set_gradient_accumulation_steps(self, value: int) -> None:
        """Let a call of a training graph be `value` micro-steps and one step of the optimizers.

        A call's inputs are one mini-batch: every tensor is divided along dim 0 into `value` equal micro-batches, on which `build`
        runs one after the other, as in eager mode (dropout draws anew, batch norm's statistics move in each). The gradient
        that `loss.backward()` starts with is 1 / value, so that a loss which is a mean has the gradient of the whole
        mini-batch's; one that `backward` is given is taken as it is. Tensors that `build` returns are put together along dim 0;
        those without dimensions, the loss among them, are stacked into shape (value,). A graph without an optimizer does not
        divide its inputs.

        Args:
            value: how many micro-steps; 1 for none of this.

        Raises:
            TypeError, ValueError: `value` is no positive int.
            RuntimeError: at the call, for an input whose dim 0 cannot be divided by `value`.
        """
        if not isinstance(value, int) or isinstance(value, bool):
            raise ArgumentTypeError(f"set_gradient_accumulation_steps(): expected an int, not {type(value).__name__}")
        if value < 1:
            raise ArgumentValueError(f"set_gradient_accumulation_steps(): expected a positive number of steps, not {value}")
        self.gradient_accumulation_steps = value

    def enable_zero(
        self, mode: bool = True, *, stage: int = 2, shard_min_size: int = 1024, shard_restore_level: int = 1
    ) -> None:
        """Split the states of optimizers over the ranks that have copies of a parameter: each has 1/n of them (ZeRO).

        The next call of a training graph lays parameters out, that are broadcast: as `split(0)`; over two dimensions of ranks as
        (S, S) where they lay as (B, S) or (S, B). Their states follow, and they stay so behind the call. A run gathers a parameter
        once, in front of `build`. Gradients go to the shares at once, so that no rank has the sum of a whole one. What `build`
        writes into parameters and gradients goes to the shares, too. A parameter that it returns is a copy.

        The numbers are those of plain data parallelism, bit for bit where no pass fuses. Two things round in other places, as sums
        have another order: norms over shares (LAMB, Adafactor, clipping by norm), and with `shard_restore_level=0` every op that
        splits its work as the parameters lie.

        As in OneFlow, the stages differ in no layout and no number: from 1 on parameters are split between runs, too. A run has
        whole parameters as long as it reads them. In stage 3 a backward gathers again those that it reads.

        Args:
            mode: whether to do that. What is split already stays so.
            stage: 1, 2 or 3.
            shard_min_size: a parameter with shares of fewer elements stays whole.
            shard_restore_level: with 0 ops read split parameters, and may choose to split their work as these lie; with 1 or 2 they
                read whole ones.

        Raises:
            TypeError: an argument has another type.
            ValueError: there is no such stage or level, or `shard_min_size` is not positive.
            LocalityError: in a call over several ranks: a parameter of an optimizer is local.
            CaptureError: in a call: `build` sets the `data` of a parameter.

        Source: oneflow.nn.graph.GraphConfig.enable_zero; Rajbhandari and others, 2020, https://arxiv.org/abs/1910.02054.

        Example:
            >>> import tritonflow as flow
            >>> class Train(flow.nn.Graph):
            ...     def __init__(self):
            ...         super().__init__()
            ...         self.config.enable_zero(True, stage=2)
            >>> Train().config.zero
            Zero(stage=2, shard_min_size=1024, shard_restore_level=1)
        """
        _check_mode("enable_zero", mode)
        numbers = {"stage": stage, "shard_min_size": shard_min_size, "shard_restore_level": shard_restore_level}
        for name, value in numbers.items():
            if type(value) is not int:
                raise ArgumentTypeError(f"enable_zero(): argument '{name}' must be an int, not {type_name(value)}")
        if not 1 <= stage <= 3:
            raise ArgumentValueError(f"enable_zero(): ZeRO has the stages 1, 2 and 3, got {stage}")
        if shard_min_size < 1:
            raise ArgumentValueError(f"enable_zero(): shard_min_size must be positive, got {shard_min_size}")
        if not 0 <= shard_restore_level <= 2:
            raise ArgumentValueError(f"enable_zero(): shard_restore_level is 0, 1 or 2, got {shard_restore_level}")
        self.zero = Zero(**numbers) if mode else None

    def set_zero_redundancy_optimizer_mode(self, mode: str = "distributed_split") -> None:
        """The older name of `enable_zero`: "distributed_split" for it, "none" for none of it.

        Raises:
            ValueError: there is no such mode.

        Source: oneflow.nn.graph.GraphConfig.set_zero_redundancy_optimizer_mode.
        """
        if mode not in ("distributed_split", "none"):
            raise ArgumentValueError(
                f"set_zero_redundancy_optimizer_mode(): expected 'distributed_split' or 'none', got {mode!r}; help: enable_zero()"
            )
        self.enable_zero(mode == "distributed_split")

    def enable_tuning(self, mode: bool = True) -> None:
        """Look for the fastest configuration (tiles, warps, stages) of each product, convolution and attention, by measuring.

        The first call compiles and measures a few candidates for each, on memory of its own, which takes seconds to a minute.
        What it finds is kept in the cache directory, by kernel, shapes, device, number of threads and versions; later graphs and
        processes measure nothing, but for what was measured while others used the machine too much to tell. No number changes
        by it: candidates add in the same order. `explain().why()` and `debug(1)` tell what was measured. What OneFlow's
        `enable_cudnn_conv_heuristic_search_algo` and torch's "max-autotune" are for.

        Raises:
            TypeError: `mode` is no bool.
        """
        if not isinstance(mode, bool):
            raise ArgumentTypeError(f"enable_tuning(): mode must be True or False, not {type(mode).__name__}")
        self.tuning = mode

    def allow_values(self, mode: bool = True) -> None:
        """Whether the program may wait for numbers of tensors, as `if loss > 3` and `x[mask]` do; it does not unless told.

        Each way that they decide is captured once. In OneFlow such a graph is an error.

        Example:
            >>> import tritonflow as flow
            >>> class Clip(flow.nn.Graph):
            ...     def __init__(self):
            ...         super().__init__()
            ...         self.config.allow_values(True)
            ...     def build(self, x):
            ...         return x / x.norm() if x.norm() > 1 else x
            >>> Clip()(flow.tensor([0.0, 4.0])).tolist()
            [0.0, 1.0]
        """
        _check_mode("allow_values", mode)
        self.values = mode

    def allow_fuse_pointwise(self, mode: bool = True) -> None:
        """Whether chains of pointwise ops, and reductions of rows among them, become one kernel; they do unless told otherwise.

        One by one ops have eager mode's bits; in one kernel a product and a sum behind it may be rounded once.
        """
        self._allow("fuse_pointwise", mode)

    def allow_fuse_add_to_output(self, mode: bool = True) -> None:
        """Whether products of matrices and convolutions do the pointwise work behind them in their kernels.

        They do unless told otherwise. OneFlow's name.
        """
        self._allow("fuse_products", mode, "fuse_add_to_output")

    def allow_fuse_prologues(self, mode: bool = True) -> None:
        """Whether products of matrices and convolutions do the casts and cheap ops in front of their operands in their kernels.

        They do, where that costs less, unless told otherwise.
        """
        self._allow("fuse_prologues", mode)

    def allow_fuse_attention(self, mode: bool = True) -> None:
        """Whether attention that is spelled out becomes `scaled_dot_product_attention`, which it does unless told otherwise.

        Scores and weights are then in no memory; half floats are rounded less often than in eager mode.
        """
        self._allow("fuse_attention", mode)

    def allow_fuse_reductions(self, mode: bool = True) -> None:
        """Whether reductions do the pointwise work in front of them in their kernels, which they do unless told otherwise."""
        self._allow("fuse_reductions", mode)

    def _allow(self, run: str, mode: bool, name: str = "") -> None:
        _check_mode(f"allow_{name or run}", mode)
        (self.without.discard if mode else self.without.add)(run)

    def __repr__(self) -> str:
        settings = {name.lstrip("_"): value for name, value in vars(self).items()} | {"without": sorted(self.without)}
        return f"GraphConfig({', '.join(f'{name}={value}' for name, value in settings.items())})"


def _check_mode(name: str, mode: bool) -> None:
    if not isinstance(mode, bool):
        raise ArgumentTypeError(f"{name}(): mode must be True or False, not {type(mode).__name__}")
