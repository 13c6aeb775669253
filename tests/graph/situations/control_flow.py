"""Branches, loops, comprehensions, pattern matching and exceptions."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, other, row, situation


class Trouble(Exception):
    def __init__(self, a: Any, b: Any = None) -> None:
        super().__init__(a)
        self.a, self.b = a, b


@situation("test_subgraphs")
def a_branch_on_a_shape(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.sum() if x.dim() > 1 or x.shape[0] == 2 else x * 2)
    return f(row()), f(grid()), f(flow.ones(2)), f(other())


@situation("test_subgraphs")
def a_branch_on_a_dtype_and_a_device(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if x.dtype == flow.float32 and x.device.type == "cpu" and x.is_floating_point() else x + 1)
    return f(row()), f(flow.tensor([1, 2])), f(row().double())


@situation("test_subgraphs")
def a_branch_on_the_sum_of_a_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if x.sum() > 0 else x - 1)
    return f(row()), f(-row()), f(row())


@situation("test_subgraphs")
def a_branch_behind_some_ops(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        y = y + 1 if y[0] > 3 else y - 1
        return y * 3

    return f(row()), f(row() * 5)


@situation("test_subgraphs")
def a_loop_until_a_tensor_is_large(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        steps = 0
        while x.sum() < 100:
            x = x * 2
            steps += 1
        return x, steps

    return f(row()), f(row() * 20)


@situation("test_subgraphs")
def a_branch_on_a_tensor_that_is_an_argument(wrap: Wrap) -> Any:
    f = wrap(lambda x, flag: x + 1 if flag else x - 1)
    return f(row(), flow.tensor(True)), f(row(), flow.tensor(False)), f(row(), flow.tensor([0.0]))


@situation("test_subgraphs")
def a_number_of_a_tensor_is_used(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * x.sum().item() + float(x[0]))
    return f(row()), f(other())


@situation("test_subgraphs")
def a_number_of_a_tensor_is_returned(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.sum().item())
    return f(row()), f(other())


@situation("test_misc")
def numbers_of_a_tensor_as_a_list(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.tolist(), x * 2))
    return f(row()), f(flow.tensor([[1, 2]]))


@situation("test_misc")
def a_mask_as_an_index(wrap: Wrap) -> Any:
    f = wrap(lambda x: x[x > 1] * 2)
    return f(row()), f(other())


@situation("test_misc")
def an_if_without_else(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        if k > 2:
            x = x * k
        elif k == 2:
            return x
        return x + 1

    return [f(row(), k) for k in (1, 2, 3, 4, 1)]


@situation("test_misc")
def short_circuits(wrap: Wrap) -> Any:
    f = wrap(lambda x, a, b: (a and b or x * 2, not a, a or x))
    return f(row(), 0, 5), f(row(), 3, 5), f(row(), "", None)


@situation("test_misc")
def a_for_loop_with_break_and_else(wrap: Wrap) -> Any:
    @wrap
    def f(x, stop):
        for k in range(5):
            if k == stop:
                break
            if k % 2:
                continue
            x = x + k
        else:
            x = x * 10
        return x

    return f(row(), 3), f(row(), 9), f(row(), 0)


@situation("test_misc")
def a_while_loop_of_numbers(wrap: Wrap) -> Any:
    @wrap
    def f(x, n):
        while n > 0:
            x = x + n
            n -= 2
        return x, n

    return f(row(), 3), f(row(), 4), f(row(), 3.5)


@situation("test_misc")
def loops_over_tensors(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        total = 0
        for line in x:
            total = total + line
        a, b = x
        return total, a - b, [line * 2 for line in x], len(x)

    return f(grid())


@situation("test_misc")
def comprehensions(wrap: Wrap) -> Any:
    f = wrap(lambda x: ([x * k for k in range(3) if k != 1], {k: x + k for k in "ab" for k in (1, 2)}, {k % 2 for k in range(4)}))
    return f(row())


@situation("test_misc")
def nested_loops(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        for i, k in enumerate([1, 2]):
            for j, w in zip(range(3), "abc"):
                x = x + i * j * k + len(w)
        return x

    return f(row())


@situation("test_functions")
def match_statements(wrap: Wrap) -> Any:
    @wrap
    def f(x, command):
        match command:
            case ("scale", k):
                return x * k
            case {"shift": k, **rest}:
                return x + k + len(rest)
            case [first, *others]:
                return x + first + len(others)
            case None:
                return x
            case str() as name if len(name) > 2:
                return x * len(name)
            case 1 | 2:
                return x - 1
        return x - 2

    return [f(row(), c) for c in (("scale", 3), {"shift": 2, "a": 1}, [4, 5, 6], None, "name", "n", 2)]


@situation("test_functions")
def match_of_classes(wrap: Wrap) -> Any:
    class Scale:
        __match_args__ = ("k",)

        def __init__(self, k):
            self.k = k

    operation = Scale(2)

    @wrap
    def f(x):
        match operation:
            case Scale(2):
                return x * 2
            case Scale(k):
                return x + k

    first = f(row())
    operation.k = 7
    return first, f(row())


@situation("test_exceptions")
def an_exception_is_caught(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            x = x * 2
            raise NotImplementedError("inside")
        except (NotImplementedError, AttributeError):
            x = x + 1
        finally:
            x = x * 3
        return x

    return f(row()), f(other())


@situation("test_exceptions")
def try_with_else(wrap: Wrap) -> Any:
    @wrap
    def f(x, fails):
        try:
            if fails:
                raise ValueError
        except ValueError:
            return x + 1
        else:
            x = x * 2
        finally:
            x = x - 1
        return x

    return f(row(), True), f(row(), False)


@situation("test_exceptions")
def the_arguments_of_an_exception(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            raise Trouble(2, b=x)
        except Trouble as trouble:
            return x * trouble.a + trouble.b, trouble.args, str(trouble)

    return f(row())


@situation("test_exceptions")
def an_exception_from_a_helper(wrap: Wrap) -> Any:
    def helper(x, k):
        if k > 1:
            raise Trouble(k)
        return x * k

    @wrap
    def f(x, k):
        try:
            return helper(x, k)
        except Trouble as trouble:
            return x + trouble.a

    return f(row(), 1), f(row(), 2), f(row(), 5)


@situation("test_exceptions")
def an_exception_in_an_exception(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            try:
                raise KeyError("a")
            except KeyError as first:
                raise ValueError("b") from first
        except ValueError as second:
            return x * 2, type(second.__cause__).__name__, type(second.__context__).__name__

    return f(row())


@situation("test_exceptions")
def an_exception_is_raised_again(wrap: Wrap) -> Any:
    def helper(x):
        try:
            raise Trouble("again")
        except Trouble:
            x = x * 2
            raise

    @wrap
    def f(x):
        try:
            helper(x)
        except Exception as error:
            return x + len(str(error))

    return f(row())


@situation("test_exceptions")
def an_exception_in_a_loop(wrap: Wrap) -> Any:
    table = {"c": 5}

    @wrap
    def f(x):
        for name in "abc":
            try:
                x = x * table[name]
            except KeyError:
                x = x + 1
        return x

    first = f(row())
    table["a"] = 3
    return first, f(row())


@situation("test_exceptions")
def return_in_finally(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        for k in range(3):
            try:
                x = x + k
                continue
            finally:
                x = x * 2
        return x

    return f(row())


@situation("test_exceptions")
def an_exception_leaves_the_function(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        y = x * 2
        if k > 1:
            raise Trouble("too large")
        return y

    return f(row(), 1), error_of(f, row(), 2), f(row(), 1), error_of(f, row(), 2)


@situation("test_exceptions")
def an_exception_leaves_and_state_was_changed(wrap: Wrap) -> Any:
    seen: list[Any] = []

    @wrap
    def f(x, k):
        seen.append(k)
        if k > 1:
            raise Trouble(k)
        return x * len(seen)

    return f(row(), 1), error_of(f, row(), 2), f(row(), 1), seen


@situation("test_exceptions")
def an_exception_leaves_and_a_tensor_was_written(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        x.add_(1)
        if k > 1:
            raise Trouble(k)
        return x * 2

    x = row()
    return error_of(f, x, 2), x, f(x, 1), x


@situation("test_exceptions")
def an_error_of_an_op_is_caught(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        try:
            return x + y
        except RuntimeError:
            return x * 2

    return f(row(), other()), f(row(), flow.ones(2)), f(row(), other())


@situation("test_exceptions")
def an_error_of_an_op_leaves(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x + y)
    return f(row(), other()), error_of(f, row(), flow.ones(2))[0], error_of(f, row(), "text")[0], f(row(), other())


@situation("test_exceptions")
def assertions(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        assert x.shape[0] == 3, f"three rows, not {x.shape[0]}"
        return x * 2

    return f(row()), error_of(f, grid()), f(other())


@situation("test_repros")
def an_assertion_about_a_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        assert x.sum() > 0, "the sum is not positive"
        return x * 2

    return f(row()), error_of(f, -row()), f(row())


@situation("test_exceptions")
def suppress_and_exit_stack(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with contextlib.suppress(KeyError):
            x = x * 2
            {}["a"]
        with contextlib.ExitStack() as stack:
            stack.enter_context(flow.no_grad())
            x = x + 1
        return x

    return f(row())


@situation("test_exceptions")
def an_exception_in_a_with_block(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            with flow.no_grad():
                x = x * 2
                raise Trouble("x")
        except Trouble:
            return x + 1, flow.is_grad_enabled()

    return f(row().requires_grad_())


@situation("test_exceptions")
def exc_info(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            raise Trouble(3)
        except Trouble:
            kind, error, _ = sys.exc_info()
            x = x * error.a
        return x, kind.__name__, sys.exc_info()[0] is None

    return f(row())


@situation("test_exceptions")
def stop_iteration_by_hand(wrap: Wrap) -> Any:
    @wrap
    def f(x, values):
        source = iter(values)
        while True:
            try:
                x = x + next(source)
            except StopIteration:
                return x

    return f(row(), [1, 2]), f(row(), (3,)), f(row(), [])


@situation("test_exceptions")
def exceptions_that_are_no_exception(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        try:
            raise GeneratorExit
        except Exception:
            return x + 1
        except BaseException:
            return x + 2

    return f(row())


@situation("test_exceptions")
def division_by_zero_of_numbers(wrap: Wrap) -> Any:
    @wrap
    def f(x, k):
        try:
            return x * (6 / k)
        except ZeroDivisionError:
            return x

    return f(row(), 2), f(row(), 0), f(row(), 3)


@situation("test_exceptions")
def notes_of_an_exception(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        error = ValueError("text")
        error.extra = x * 2
        return error

    return f(row())


@situation("test_misc")
def a_warning_inside(wrap: Wrap) -> Any:
    import warnings

    @wrap
    def f(x):
        warnings.warn("from inside", stacklevel=1)
        return x * 2

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [f(row()), f(row())]
    mine = [w for w in caught if "from inside" in str(w.message)]
    for w in caught:
        if w not in mine:
            warnings.warn(w.message, stacklevel=1)  # flow.compile's, which the runner counts
    return results, len(mine)


@situation("test_misc")
def print_inside(wrap: Wrap) -> Any:
    import io

    text = io.StringIO()

    @wrap
    def f(x):
        print("shape", tuple(x.shape), file=text)
        return x * 2

    return f(row()), f(row()), f(grid()), text.getvalue()


@situation("test_misc")
def logging_inside(wrap: Wrap) -> Any:
    import logging

    seen: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record):
            seen.append(record.getMessage())

    log = logging.getLogger("situation")
    log.handlers, log.propagate = [Keep()], False
    log.setLevel(logging.INFO)

    @wrap
    def f(x):
        log.info("rank %d", x.dim())
        return x * 2

    return f(row()), f(row()), seen


@situation("test_subgraphs")
def an_unsupported_call_in_the_middle(wrap: Wrap) -> Any:
    def opaque(x):
        return x.numpy().tolist()

    @wrap
    def f(x):
        y = x * 2
        values = opaque(y)
        return y + len(values), values

    return f(row()), f(other())


@situation("test_higher_order_ops")
def where_instead_of_a_branch(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: flow.where(x > y, x * 2, y))
    return f(row(), other()), f(other(), row())


@situation("test_repros")
def a_comparison_of_tensors_is_a_tensor(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x == y, x != y, x is y, x is not None))
    return f(row(), other())


@situation("test_repros")
def a_tensor_in_a_list(wrap: Wrap) -> Any:
    x, y = row(), other()
    f = wrap(lambda a, b: a * 2 if any(a is each for each in [b, a]) else a)
    return f(x, y), f(x, x)
