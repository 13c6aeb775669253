"""nn.Graph: a step of a model, captured and run as one instruction."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from tritonflow.amp import GradScaler, autocast
from tritonflow.device.device import DEVICE_TYPES
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, CaptureError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api import training
from tritonflow.graph.api.accumulation import accumulate
from tritonflow.graph.api.compile import compile
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import check_ranks
from tritonflow.graph.api.describe import describe, describe_html
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.api.lr_schedule import GraphSchedule
from tritonflow.graph.api.methods import weak_reference, weakly
from tritonflow.graph.api.programs import MOST_SIZES
from tritonflow.graph.api.variable_names import step_of, variables
from tritonflow.graph.api.zero import Shares
from tritonflow.graph.explain import Explanation
from tritonflow.nn import Module
from tritonflow.optim import Optimizer
from tritonflow.optim.lr_scheduler import ReduceLROnPlateau
from tritonflow.thread_state import thread_state

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
G = TypeVar("G", bound="Graph")


class _HasBuild(Protocol[P, R_co]):
    """To checkers: a call of a graph has the arguments and the result of its `build`."""

    def build(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Graph:
    """Base class of graphs: a subclass sets modules as attributes and says in `build` what a call computes.

    The first call captures `build` (every op, backward and optimizer included), and runs it; later calls with inputs of the
    same shapes and dtypes only run it. Parameters are shared with eager mode, at any time. Python numbers among the inputs may
    differ from call to call. What else `build` reads of Python, of the graph, of modules and of modes is watched: where it is
    another than before, `build` is captured again. What `build` sets, such as a counter, is set behind each run (docs/compile.md).
    Results have no history, as in OneFlow: `backward()` belongs inside; what `flow.compile` returns has one. In-place ops change
    parameters and buffers of the graph's modules; of other eager tensors they change a copy that lives as long as the call. A call
    that fails leaves Python, parameters, buffers and optimizers as they were.

    Raises:
        RuntimeError: in `build`: for what no program can do, such as Python that needs the value of a tensor; an optimizer without
            `backward()`, or stepped there; a training graph that is called in another graph.
        TypeError: an attribute is a tensor or an optimizer; `build` returns something that is no tensor.
        ValueError: an optimizer over parameters of no module of the graph.

    Source: https://oneflow.readthedocs.io/en/v0.9.0/graph.html

    Example:
        >>> import tritonflow as flow
        >>> net = flow.nn.Linear(3, 1)
        >>> class Train(flow.nn.Graph):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.net = net
        ...         self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))
        ...     def build(self, x):
        ...         loss = (self.net(x) ** 2).mean()
        ...         loss.backward()
        ...         return loss
        >>> train = Train()
        >>> first, second = train(flow.ones(4, 3)), train(flow.ones(4, 3))
        >>> bool(second < first)
        True
    """

    notes_changes = True  # to variable guards: `_context` counts the attributes that are set
    _sizes: tuple[bool | None, int] = (None, MOST_SIZES)  # which are symbols, and how many are kept
    _child_init_cnt: dict[str, int] = {}  # how many graphs of each class there are, by name

    def __init__(self) -> None:
        name = type(self).__name__
        number = self._child_init_cnt[name] = self._child_init_cnt.get(name, -1) + 1
        self._name = f"{name}_{number}"
        self._modules: OrderedDict[str, Module] = OrderedDict()
        self._optimizers: list[Optimizer] = []
        self._schedules: list[GraphSchedule] = []
        self._scaler: Any = None
        self._shares = Shares()
        self._steps_made = 0
        self.config = GraphConfig()
        self._changes = 0  # how often an attribute was set to something else
        self._captured = self._capturing()

    def _capturing(self) -> CapturedFunction[..., Any]:
        return CapturedFunction(
            weakly(self._step),
            self._name,
            weakly(self._context),
            self._modules,
            self.config,
            differentiable=False,
            entry=weak_reference(self.build),
            dynamic=self._sizes[0],
            most_sizes=self._sizes[1],
        )

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of, which captures anew."""
        return {name: value for name, value in vars(self).items() if name != "_captured"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        vars(self)["_captured"] = self._capturing()

    @property
    def name(self) -> str:
        """The class's name and a running number."""
        return self._name

    @staticmethod
    def trace(function: Any) -> Any:
        """OneFlow's name for `flow.compile`."""
        return compile(function)

    @staticmethod
    def with_dynamic_input_shape(*, size: int = 10, enable_shared: bool = True) -> Callable[[type[G]], type[G]]:
        """A decorator of a class of graphs: one capture serves all sizes of their inputs, from the first call on.

        Without it a second size of an input does that. OneFlow keeps a graph for each of `size` shapes.

        Args:
            size: for how many sizes programs are kept; those that were not called for long are made again.
            enable_shared: taken for OneFlow's sake: parameters and captures are always shared.

        Raises:
            ValueError: `size` is not positive.

        Source: https://github.com/Oneflow-Inc/oneflow/pull/9984

        Example:
            >>> import tritonflow as flow
            >>> @flow.nn.Graph.with_dynamic_input_shape(size=20)
            ... class Double(flow.nn.Graph):
            ...     def build(self, x):
            ...         return x * 2
            >>> double = Double()
            >>> double(flow.ones(2)).tolist(), double(flow.ones(3)).tolist()
            ([2.0, 2.0], [2.0, 2.0, 2.0])
        """
        if size < 1:
            raise ArgumentValueError(f"with_dynamic_input_shape(): size must be positive, not {size}")

        def decorated(graph: type[G]) -> type[G]:
            graph._sizes = True, size
            return graph

        return decorated

    @property
    def training(self) -> bool:
        """Whether a call steps an optimizer."""
        return self.config.training

    def build(self, *args: Any, **kwargs: Any) -> Any:
        """What a call computes; implemented by subclasses."""
        raise NotImplementedError(f"{type(self).__name__} does not implement build()")

    def add_optimizer(self, optim: Optimizer, *, lr_sch: Any = None) -> None:
        """Step an optimizer in every call, behind `build`, which must call `backward()`; and then a learning rate schedule.

        As in OneFlow, the graph counts the steps of the schedule itself. `lr_sch` and the options in `optim.param_groups` stay as
        they are; `state_dict()` has the present ones. The first call goes on from the step that `lr_sch` has then.

        Args:
            optim: the optimizer; its parameters belong to modules of the graph. A group's `clip_grad_max_norm` is heeded.
            lr_sch: the schedule of its learning rate, which is what it says whatever `optim.param_groups` has. With
                `verbose=True` each learning rate is printed; with `TRITONFLOW_DEBUG_MODE=1` they are written to a file in `log`.

        Raises:
            TypeError: `optim` is no optimizer; `lr_sch` is of another one, or one that looks at a metric.
            RuntimeError: the graph was called already.
        """
        self._refuse_change("add_optimizer")
        if not isinstance(optim, Optimizer):
            raise ArgumentTypeError(f"add_optimizer(): argument 'optim' must be an Optimizer, not {type(optim).__name__}")
        if lr_sch is not None and getattr(lr_sch, "optimizer", None) is not optim:
            raise ArgumentTypeError("add_optimizer(): lr_sch must be a learning rate scheduler of this optimizer")
        if isinstance(lr_sch, ReduceLROnPlateau):
            raise ArgumentTypeError(
                "add_optimizer(): ReduceLROnPlateau looks at a metric, which the graph does not have: leave it out, and call its"
                " step(metric) yourself; the graph heeds the learning rate"
            )
        self._optimizers.append(optim)
        self.config._training = True
        if lr_sch is not None:
            self._schedules.append(GraphSchedule(lr_sch))

    def set_grad_scaler(self, grad_scaler: GradScaler) -> None:
        """Scale the loss at `backward()`, and skip steps whose gradients overflow: for float16.

        Raises:
            TypeError: `grad_scaler` is no GradScaler.
            RuntimeError: the graph was called already.
        """
        self._refuse_change("set_grad_scaler")
        if not isinstance(grad_scaler, GradScaler):
            raise ArgumentTypeError(f"set_grad_scaler(): expected a GradScaler, not {type(grad_scaler).__name__}")
        self._scaler = grad_scaler if grad_scaler.is_enabled() else None

    @property
    def is_compiled(self) -> bool:
        """Whether some kind of call was captured."""
        return bool(self._captured.programs)

    def debug(self, v_level: int = 0, *, ranks: Any = None) -> None:
        """Print what happens when `build` is captured and compiled, in the next call that has to.

        Args:
            v_level: -1 for nothing; 0 for the stages and their times, kernels and memory, and whether the plan was found on
                disk; 1 also for inputs, calls of modules, outputs and what the passes do, which then run in any case; 2 also
                for every op that is captured, with the line of your program that it comes from; 3 also for the graph behind
                every pass and the memory plan.
            ranks: which processes print, as in OneFlow: one or a list of them, -1 for all, None for rank 0. There is only that one.

        Raises:
            TypeError, ValueError: `v_level` is no int from -1 to 3; `ranks` names another process.

        Example:
            >>> import tritonflow as flow
            >>> class Double(flow.nn.Graph):
            ...     def build(self, x):
            ...         return x * 2
            >>> double = Double()
            >>> double.debug(1)
            >>> y = double(flow.ones(2))  # doctest: +ELLIPSIS
            (GRAPH:Double_0) start building graph.
            (GRAPH:Double_0) (INPUT:0:tensor(..., size=(2,), dtype=tritonflow.float32))
            ...
            (GRAPH:Double_0) 1 kernels, 0 bytes between them.
        """
        check_ranks(ranks)
        self._captured.debug(v_level)

    def state_dict(self) -> dict[str, Any]:
        """The state of every module under its attribute's name, and of the optimizers, schedules and the scaler.

        "optimizers" has the learning rates of the graph's next step, and "lr_schedulers" its number of steps. Tensors of optimizers
        are there by OneFlow's names, too, as "linear.weight-momentum"; "System-Train-TrainStep" is the number of steps so far.
        """
        state = self._parts()
        return {**state, **variables(self._modules, self._optimizers, self._steps_made)} if self.training else state

    def _parts(self) -> dict[str, Any]:
        state: dict[str, Any] = {name: module.state_dict() for name, module in self._modules.items()}
        with self._scheduled_options():
            state["optimizers"] = [optimizer.state_dict() for optimizer in self._optimizers]
        state["lr_schedulers"] = [schedule.state_dict() for schedule in self._schedules]
        if self._scaler is not None:
            state["grad_scaler"] = self._scaler.state_dict()
        return state

    def load_state_dict(self, state_dict: dict[str, Any], strict: bool = True) -> None:
        """Take over what `state_dict` gave, at any time; a graph without optimizers leaves those of a training graph's state.

        Raises:
            KeyError: something that the graph has is missing in it; nothing was loaded.
            ValueError: it has another number of optimizers or schedules than the graph; nothing was loaded.
            RuntimeError: as `Module.load_state_dict`.
        """
        for name, part in self._parts().items():
            if name not in state_dict:
                raise KeyError(f"load_state_dict(): {self._name} has '{name}', which is missing in the state")
            if isinstance(part, list) and part and len(part) != len(state_dict[name]):
                raise ArgumentValueError(
                    f"load_state_dict(): {self._name} has {len(part)} {name}, but the state has {len(state_dict[name])}"
                )
        for name, module in self._modules.items():
            module.load_state_dict(state_dict[name], strict)
        for optimizer, part in zip(self._optimizers, state_dict["optimizers"]):
            optimizer.load_state_dict(part)
        for schedule, part in zip(self._schedules, state_dict["lr_schedulers"]):
            schedule.load_state_dict(part)
        if self._scaler is not None:
            self._scaler.load_state_dict(state_dict["grad_scaler"])
        vars(self)["_steps_made"] = step_of(state_dict)

    if TYPE_CHECKING:

        def __call__(self: _HasBuild[P, R_co], *args: P.args, **kwargs: P.kwargs) -> R_co: ...

    else:

        def __call__(self, *args, **kwargs):
            """Run the graph; captures it first, where it must."""
            return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if "_captured" not in self.__dict__:
            raise RuntimeError(f"super().__init__() was not called in {type(self).__name__}.__init__()")
        if thread_state.observer.is_capturing and self.training:
            raise CaptureError(
                f"{self._name} steps an optimizer and is called while another graph is captured: training graphs do not nest, call"
                " one after the other"
            )
        self._split_parameters()
        if not self._schedules:
            result = self._captured(*args, **kwargs)
        else:
            with self._scheduled_options():
                result = self._captured(*args, **kwargs)
            for schedule in self._schedules:
                schedule.step()
        vars(self)["_steps_made"] += 1  # no change of the program
        return result

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What a call runs, as a table and a page: `CapturedFunction.explain`."""
        self._split_parameters()
        with self._scheduled_options():
            return self._captured.explain(*args, **kwargs)

    def _step(self, *args: Any, **kwargs: Any) -> Any:
        """What is captured."""
        parameters = {id(p) for module in self._modules.values() for p in module.parameters()}
        training.refuse_foreign(self._name, self._optimizers, parameters)
        steps = self._micro_steps()
        capture: Any = thread_state.observer
        training.begin(capture, self._optimizers, self._scaler, steps)
        with self._autocast(), training.refuse_steps(self._name, self._optimizers), self._whole_parameters():
            result = self.build(*args, **kwargs) if steps == 1 else accumulate(self.build, steps, args, kwargs)
        training.finish(self._name, capture, self._optimizers, self._scaler)
        capture.written_back = self._own_storages()
        return result

    def _own_storages(self) -> set[Any]:
        """The memory of modules and optimizers; in-place ops on other eager tensors change the graph's copy of them."""
        own = {t.impl for module in self._modules.values() for t in (*module.parameters(), *module.buffers())}
        states = [state for optimizer in self._optimizers for state in optimizer.state.values()]
        return own | {value.impl for state in states for value in state.values() if isinstance(value, Tensor)}

    def _split_parameters(self) -> None:
        if self.config.zero is not None and self.training:
            self._shares.lay_out(self._name, self._optimizers, self.config.zero)

    def _whole_parameters(self) -> Any:
        """A block in which the modules have whole parameters."""
        zero = self.config.zero
        if zero is None or not zero.shard_restore_level:
            return nullcontext()
        return self._shares.whole(self._modules, again=zero.stage == 3)

    def _scheduled_options(self) -> Any:
        """A block in which the optimizers have the learning rates of the graph's schedules."""
        with ExitStack() as blocks:
            for schedule in self._schedules:
                blocks.enter_context(schedule.options())
            return blocks.pop_all()

    def _autocast(self) -> Any:
        if self.config.amp_dtype is None:
            return nullcontext()
        with ExitStack() as regions:
            for device_type in DEVICE_TYPES:
                regions.enter_context(autocast(device_type, self.config.amp_dtype))
            return regions.pop_all()

    def _micro_steps(self) -> int:
        return self.config.gradient_accumulation_steps if self.training else 1

    def _context(self) -> tuple[Any, ...]:
        """What the captured program depends on besides its inputs and modules."""
        config = self.config
        return config.amp_dtype, self._micro_steps(), config.tuning, config.zero, frozenset(config.without), self._changes

    def _refuse_change(self, what: str) -> None:
        if self.is_compiled:
            raise RuntimeError(f"{what}() must be called before the first call of {self._name}")

    def __repr__(self) -> str:
        return describe(self._name, type(self).__name__, self._modules.items(), self._captured.captures())

    def _repr_html_(self) -> str:
        """For notebooks: the modules, and what was captured."""
        return describe_html(self._name, type(self).__name__, self._modules.items(), self._captured.captures())

    def __setattr__(self, name: str, value: Any) -> None:
        if "_modules" not in self.__dict__ and isinstance(value, (Module, Tensor, Optimizer)):
            raise AttributeError(f"cannot assign attributes before {type(self).__name__}.__init__() calls super().__init__()")
        if isinstance(value, Tensor):
            raise ArgumentTypeError(
                f"'{self._name}' nn.Graph is not allowed to set Tensor attribute named '{name}'. Please use nn.Module to hold the"
                " tensor, then add the nn.Module to nn.Graph."
            )
        if isinstance(value, Optimizer):
            raise ArgumentTypeError(
                f"'{self._name}' nn.Graph is not allowed to set Optimizer attribute named '{name}'. Please use add_optimizer(...)"
                " instead."
            )
        if isinstance(value, Module):
            self._modules[name] = value
        elif "_modules" in self.__dict__:
            self._modules.pop(name, None)
        old = self.__dict__.get(name, self)
        object.__setattr__(self, name, value)
        if "_captured" in self.__dict__ and not thread_state.observer.is_capturing and not (old is value or _equal(old, value)):
            self.__dict__["_changes"] += 1


def _equal(old: Any, new: Any) -> bool:
    return old.__class__ is new.__class__ and isinstance(new, (bool, int, float, str)) and old == new
