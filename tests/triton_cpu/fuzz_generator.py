"""What random kernels are made of: loads, arithmetic, reductions, views, products, loops (see `fuzz_program`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod

from tests.triton_cpu.fuzz_program import (
    FLOATS,
    INPUT_SIZE,
    INTEGERS,
    LARGEST,
    MANTISSA,
    SCALAR,
    SHAPES,
    Program,
    Statement,
    Value,
    Writer,
    axis_of,
    integer,
    positions,
    real,
    triton_type,
    width,
)  # fmt: skip


class Generator(Writer):
    """The program of a seed."""

    # ---- the program

    def program(self) -> Program:
        self.emit(Value("pid", "i32", SCALAR, 4.0), "tl.program_id(0) + 2 * tl.program_id(1)")
        self.values += [Value("n", "i32", SCALAR, INPUT_SIZE), Value("k", "i32", SCALAR, 8.0)]
        self.emit(Value("a", "f32", SCALAR, 8.0, 0.25), "tl.load(x_f32 + n)")
        shape = self.random.choice(SHAPES)
        for _ in range(3):
            self.load(shape)
        for _ in range(self.random.randint(3, 24)):
            self.step()
        self.store_results()
        return Program(self.seed, self.statements, self.outputs, self.grid)

    def step(self) -> None:
        kinds: list[tuple[Callable[[], None], int]] = [
            (self.load, 4), (self.binary, 8), (self.unary, 4), (self.cast, 3), (self.compare, 3), (self.choose, 3),
            (self.reduce, 3), (self.scan, 2), (self.view, 4), (self.join, 1), (self.dot, 1), (self.gather, 1), (self.call, 1),
            (self.histogram, 1), (self.store_and_load, 1),
        ]  # fmt: skip
        if self.depth < 2:
            kinds += [(self.loop, 2), (self.conditional, 2), (self.while_loop, 1)]
        self.random.choices([k for k, _ in kinds], [weight for _, weight in kinds])[0]()

    def store_results(self) -> None:
        tensors = [v for v in self.values if v.name.startswith("v")]
        chosen = tensors[-4:] + self.random.sample(tensors[:-4], min(2, len(tensors[:-4])))
        for value in chosen:
            self.store(value)

    # ---- memory

    def index(self, shape: tuple[int, ...]) -> tuple[str, bool]:
        """An i32 index tensor of `shape`, and whether it is always below INPUT_SIZE."""
        kind = self.random.choice(
            ("rows", "rows", "divided", "divided", "strides", "reversed", "transposed", "indirect")
        )
        found = self.partner(shape, lambda v: v.is_integer and bool(v.shape)) if kind == "indirect" else None
        if found is not None:
            text = f"({found[1]}.to(tl.int32) & {self.random.choice((15, 255, INPUT_SIZE - 1))})"
            zeros = f"tl.zeros({list(shape)}, tl.int32)"
            return f"({text} + {zeros})", True
        strides = [prod(shape[d + 1 :]) for d in range(len(shape))]
        if kind == "transposed":
            strides = [prod(shape[:d]) for d in range(len(shape))]
        if kind == "strides":
            factor = self.random.choice((2, 3, 5))
            strides = [s * factor + (d == 0) * self.random.randint(0, 3) for d, s in enumerate(strides)]
        terms = []
        for d, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
            position = f"tl.arange(0, {extent})"
            if kind == "reversed":
                position = f"({extent - 1} - {position})"
            term = f"{position}{axis_of(d, shape)}"
            if kind == "divided":  # the same position through its digits, or one of them
                divisor = self.random.choice((2, 4, 16, 32, 3))
                digits = f"({term} // {divisor} * {divisor} + {term} % {divisor})"
                term = self.random.choice((digits, f"({term} // {divisor})", f"({term} % {divisor})"))
            terms.append(f"{term} * {stride}")
        reach = sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
        text = " + ".join(terms)
        if reach + 5 * 64 < INPUT_SIZE:
            text += f" + pid * {self.random.choice((0, 1, 64))}"
        return f"({text})", reach + 5 * 64 < INPUT_SIZE

    def load(self, shape: tuple[int, ...] | None = None) -> None:
        if shape is None:
            earlier = [v.shape for v in self.values if v.shape]
            shape = (
                self.random.choice(SHAPES) if self.random.random() < 0.2 or not earlier else self.random.choice(earlier)
            )
        dtype = self.random.choice((*INTEGERS, *FLOATS, *FLOATS, "bf16"))
        text, inside = self.index(shape)
        at = self.emit(integer(self.name(), "i32", shape), text)
        masks = ["n", "below", "value"] if inside else ["below"]
        mask = self.random.choice([*masks, "none"] if inside else masks)
        argument = {"none": "", "n": f", mask={at.name} < n", "below": f", mask={at.name} < min(n, {INPUT_SIZE})"}.get(
            mask, ""
        )
        if mask == "value":
            found = self.partner(shape, lambda v: v.dtype == "i1")
            argument = f", mask={found[1]} & ({at.name} >= 0)" if found else ""
        if argument and dtype != "bf16" and self.random.random() < 0.6:  # the interpreter takes bits for bf16
            argument += f", other={self.random.choice((0, 1, 3))}"
        name = self.name()
        suffix = ".to(tl.float32)" if dtype == "bf16" else ""
        text = f"tl.load(x_{dtype} + {at.name}{argument}){suffix}"
        if dtype in INTEGERS:
            self.emit(integer(name, dtype, shape), text)
        else:
            self.emit(Value(name, "f32" if dtype == "bf16" else dtype, shape, 8.0, 0.25), text)

    def store(self, value: Value) -> None:
        name = f"o_{value.name}"
        self.outputs[value.name] = value
        if not value.shape:
            self.effect(f"tl.store({name} + pid, {value.name})")
            return
        size = prod(value.shape)
        at = f"({positions(value.shape)})"
        if self.random.random() < 0.2:
            at = f"({at} * {self.random.choice((3, 5, 7))} % {size})"
        found = self.partner(value.shape, lambda v: v.dtype == "i1") if self.random.random() < 0.3 else None
        mask = f", mask={found[1]}" if found else ""
        self.effect(f"tl.store({name} + pid * {size} + {at}, {value.name}{mask})")

    def store_and_load(self) -> None:
        """Through memory and back, at other positions."""
        value = self.tensor()
        if value is None or value.dtype == "i1" or self.depth:
            return
        self.store(value)
        size = prod(value.shape)
        self.effect("tl.debug_barrier()")
        at = f"({positions(value.shape)})"
        at = self.random.choice((at, f"({size - 1} - {at})", f"({at} * 3 % {size})"))
        again = replace(value, name=self.name())
        self.emit(again, f"tl.load(o_{value.name} + pid * {size} + {at})")
        if self.random.random() < 0.5:
            changed = f"{value.name} * 2" if value.is_integer else f"-{value.name}"
            self.effect(f"tl.store(o_{value.name} + pid * {size} + ({positions(value.shape)}), {changed})")

    # ---- arithmetic

    def binary(self) -> None:
        left = self.tensor(lambda v: v.dtype != "i1") or self.pick(lambda v: v.dtype != "i1")
        if left is None:
            return
        found = self.partner(left.shape, lambda v: v.is_float == left.is_float and v.dtype != "i1")
        if found is None:
            return
        if left.is_float:
            self.float_binary(left, *found)
        else:
            self.integer_binary(left, *found)

    def integer_binary(self, left: Value, right: Value, text: str) -> None:
        name, dtype = self.name(), left.dtype
        op = self.random.choice(("+", "-", "*", "&", "|", "^", "//", "%", "<<", ">>", "minimum", "maximum"))
        same = f"({text}).to({triton_type(dtype)})"
        if op in ("//", "%") and self.random.random() < 0.5:
            result = f"{left.name} {op} {self.random.choice((2, 3, 8, 16, 32, 64, 100))}"
        elif op in ("//", "%"):
            result = f"{left.name} {op} ({same} | 1)"
        elif op in ("<<", ">>"):
            result = f"{left.name} {op} ({same} & {width(dtype) - 1})"
        elif op in ("minimum", "maximum"):
            result = f"tl.{op}({left.name}, {same})"
        else:
            result = f"{left.name} {op} {text}"
            dtype = self.random.choice((left.dtype, right.dtype))
        self.emit(integer(name, dtype, left.shape), f"({result}).to({triton_type(dtype)})")

    def float_binary(self, left: Value, right: Value, text: str) -> None:
        name, dtype = self.name(), left.dtype
        right = self.converted(right, dtype)
        if right is None:
            return
        text = f"({text}).to({triton_type(dtype)})"
        op = self.random.choice(("+", "-", "*", "minimum", "maximum", "/", "fma"))
        grain, error = min(left.grain, right.grain), left.error + right.error
        if op in ("+", "-"):
            result, largest = f"{left.name} {op} {text}", left.largest + right.largest
        elif op in ("minimum", "maximum"):
            result, largest = f"tl.{op}({left.name}, {text})", max(left.largest, right.largest)
        elif op in ("*", "fma"):
            result, largest = f"{left.name} * {text}", left.largest * right.largest
            grain = left.grain * right.grain
            error = left.error * right.largest + right.error * left.largest + left.error * right.error
            if op == "fma":
                result, largest, error = (
                    f"tl.fma({left.name}, {text} + {left.name} * 0, {left.name})",
                    largest + left.largest,
                    error + left.error,
                )
                if dtype != "f32":
                    return
        else:
            result, largest, grain = f"{left.name} / (tl.abs({text}) + 1)", left.largest, 0.0
            error += left.largest * right.error
        if largest <= LARGEST[dtype]:
            self.emit(real(name, dtype, left.shape, largest, grain, error), result)

    def converted(self, value: Value, dtype: str) -> Value | None:
        """A float of another type, or None where it does not fit."""
        if value.dtype == dtype:
            return value
        if value.largest > LARGEST[dtype]:
            return None
        return real(value.name, dtype, value.shape, value.largest, value.grain, value.error)

    def unary(self) -> None:
        value = self.tensor(lambda v: v.dtype != "i1")
        if value is None:
            return
        if value.is_integer:
            text = self.random.choice(
                (f"-{value.name}", f"~{value.name}", f"tl.abs({value.name})", f"{value.name} * {value.name}")
            )
            if value.dtype.startswith("u"):
                text = f"{value.name} * 5 + 1"  # the interpreter has no complement of unsigned numbers
            self.emit(integer(self.name(), value.dtype, value.shape), text)
            return
        simple = self.random.choice(("-{}", "tl.abs({})", "{} * 0.5", "{} + 2", "tl.clamp({}, -3.0, 3.0)", "functions"))
        if simple == "functions" or (value.dtype == "f16" and "clamp" in simple):
            self.function(value)
            return
        largest, grain = value.largest + 2, value.grain
        if "0.5" in simple:
            grain = grain / 2
        self.emit(real(self.name(), value.dtype, value.shape, largest, grain, value.error), simple.format(value.name))

    def function(self, value: Value) -> None:
        """Functions of slope 1 at most, of f32 and f64."""
        if value.dtype == "f16" or value.largest > 1e4:
            return
        name = value.name
        text, largest = self.random.choice(
            ((f"tl.exp(-tl.abs({name}))", 1.0), (f"tl.sin({name})", 1.0), (f"tl.cos({name})", 1.0), (f"tl.sigmoid({name})", 1.0),
             (f"tl.log(tl.abs({name}) + 1)", 10.0), (f"tl.sqrt(tl.abs({name}) + 1)", 101.0), (f"tl.rsqrt(tl.abs({name}) + 1)", 1.0),
             (f"tl.exp2(-tl.abs({name}))", 1.0), (f"tl.log2(tl.abs({name}) + 1)", 15.0), (f"tl.erf({name})", 1.2))
        )  # fmt: skip
        # sigmoid and softmax are f32 inside; 32: the functions of the interpreter and ours are off by a few units
        error = value.error * 2 + largest * 2.0**-19 + value.largest * 2.0**-22
        if "erf" in text:
            return  # the interpreter has no erf
        self.emit(real(self.name(), value.dtype, value.shape, largest, 0.0, error), text)

    def cast(self) -> None:
        value = self.tensor()
        if value is None:
            return
        target, name = self.random.choice((*INTEGERS, *FLOATS)), self.name()
        text = f"{value.name}.to({triton_type(target)})"
        if value.dtype == "i1":
            made = Value(name, target, value.shape, 1.0) if target in FLOATS else integer(name, target, value.shape)
            self.emit(made, text)
        elif target in INTEGERS and value.is_integer:
            self.emit(integer(name, target, value.shape), text)
        elif target in INTEGERS:
            if not value.exact or value.largest >= 2.0 ** (width(target) - 1):
                return
            if target.startswith("u"):
                text = f"tl.abs({value.name}).to({triton_type(target)})"
            self.emit(integer(name, target, value.shape), text)
        elif value.is_integer:
            if value.largest <= LARGEST[target]:
                self.emit(Value(name, target, value.shape, value.largest, 1.0), text)
        else:
            found = self.converted(value, target)
            if found is not None:
                self.emit(replace(found, name=name), text)

    def compare(self) -> None:
        left = self.tensor(lambda v: v.exact and v.dtype != "i1")
        if left is None:
            return
        found = self.partner(left.shape, lambda v: v.exact and v.dtype == left.dtype)
        right = found[1] if found and self.random.random() < 0.7 else str(self.random.randint(0, 5))
        op = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        text = f"{left.name} {op} {right}"
        more = self.partner(left.shape, lambda v: v.dtype == "i1")
        if more and self.random.random() < 0.5:
            text = f"({text}) {self.random.choice('&|^')} {more[1]}"
        elif self.random.random() < 0.3:
            at = f"({positions(left.shape)})" if left.shape else "pid"
            text = f"({text}) & ({at} < n)"
        self.emit(Value(self.name(), "i1", left.shape, 1.0), text)

    def choose(self) -> None:
        mask = self.tensor(lambda v: v.dtype == "i1")
        if mask is None:
            return
        left = self.partner(mask.shape, lambda v: v.dtype != "i1")
        if left is None:
            return
        right = self.partner(mask.shape, lambda v: v.dtype == left[0].dtype)
        assert right is not None
        a, b = left[0], right[0]
        made = Value(
            self.name(), a.dtype, mask.shape, max(a.largest, b.largest), min(a.grain, b.grain), max(a.error, b.error)
        )
        self.emit(made, f"tl.where({mask.name}, {left[1]}, {right[1]})")

    def call(self) -> None:
        value = self.pick(lambda v: v.dtype in ("i32", "i64"))
        scalar = self.pick(lambda v: v.dtype == "i32" and not v.shape)
        if value is None or scalar is None:
            return
        function = "affine" if value.shape else self.random.choice(("affine", "apart"))
        self.emit(integer(self.name(), value.dtype, value.shape), f"{function}({value.name}, {scalar.name})")

    # ---- along an axis

    def reduce(self) -> None:
        value = self.tensor(lambda v: v.dtype != "i1")
        if value is None:
            return
        axis = self.random.randrange(len(value.shape))
        shape, count = value.shape[:axis] + value.shape[axis + 1 :], value.shape[axis]
        small = count * len(value.shape) <= 64
        name = self.name()
        kinds = ["max", "min", "sum", "sum"]
        if value.exact and small:
            kinds += ["argmax", "custom"]
        if value.is_integer and small:
            kinds.append("xor_sum")
        kind = self.random.choice(kinds)
        if kind == "argmax":
            text = f"tl.{self.random.choice(('argmax', 'argmin'))}({value.name}, {axis})"
            self.emit(integer(name, "i32", shape), text)
        elif value.is_integer:
            operand = (
                f"({value.name} & 1023)" if kind == "sum" and width(value.dtype) > 16 else value.name
            )  # the interpreter overflows
            text = f"tl.reduce({operand}, {axis}, larger)" if kind == "custom" else f"tl.{kind}({operand}, {axis})"
            self.emit(integer(name, value.dtype, shape), f"({text}).to({triton_type(value.dtype)})")
        else:
            text = (
                f"tl.reduce({value.name}, {axis}, larger)" if kind == "custom" else f"tl.{kind}({value.name}, {axis})"
            )
            factor = count if kind == "sum" else 1
            made = real(name, value.dtype, shape, value.largest * factor, value.grain, value.error * factor)
            if not made.exact:
                made = replace(made, error=made.error + factor * made.largest * 2.0 ** -MANTISSA[value.dtype])
            if made.largest <= LARGEST[value.dtype]:
                self.emit(made, f"({text}).to({triton_type(value.dtype)})")

    def scan(self) -> None:
        value = self.tensor(lambda v: v.exact and v.dtype != "i1")
        if value is None or value.dtype == "f16":
            return
        axis, name = self.random.randrange(len(value.shape)), self.name()
        reverse = f", reverse={self.random.random() < 0.3}"
        size = prod(value.shape)
        if size <= 64 and self.random.random() < 0.4:
            self.emit(replace(value, name=name), f"tl.associative_scan({value.name}, {axis}, larger{reverse})")
        elif value.is_integer:
            kind, operand = "cumsum", f"({value.name} & 63)"
            if value.shape[axis] <= 8 and width(value.dtype) > 8 and self.random.random() < 0.5:
                kind, operand = "cumprod", f"({value.name} & 3)"
            made = f"tl.{kind}({operand}, {axis}{reverse}).to({triton_type(value.dtype)})"
            self.emit(integer(name, value.dtype, value.shape), made)
        else:
            made = real(name, value.dtype, value.shape, value.largest * value.shape[axis], value.grain, 0.0)
            if made.exact:
                self.emit(made, f"tl.cumsum({value.name}, {axis}{reverse})")

    # ---- shapes

    def view(self) -> None:
        value = self.tensor()
        if value is None:
            return
        shape, size = value.shape, prod(value.shape)
        kind = self.random.choice(("reshape", "trans", "broadcast", "ravel", "expand", "flip"))
        if kind == "reshape":
            options = [s for s in SHAPES if prod(s) == size]
            if options:
                new = self.random.choice(options)
                self.emit(replace(value, name=self.name(), shape=new), f"tl.reshape({value.name}, {list(new)})")
        elif kind == "trans" and len(shape) == 2:
            self.emit(replace(value, name=self.name(), shape=shape[::-1]), f"tl.trans({value.name})")
        elif kind == "trans" and len(shape) == 3:
            order = self.random.sample(range(3), 3)
            new = tuple(shape[d] for d in order)
            self.emit(replace(value, name=self.name(), shape=new), f"tl.permute({value.name}, {order})")
        elif kind == "broadcast":
            new = self.random.choice([s for s in SHAPES if len(s) > 1])
            text = self.fitted(value, new)
            if text is not None:
                self.emit(replace(value, name=self.name(), shape=new), f"tl.broadcast_to({text}, {list(new)})")
        elif kind == "ravel":
            self.emit(replace(value, name=self.name(), shape=(size,)), f"tl.ravel({value.name})")
        elif kind == "expand" and len(shape) == 1:
            self.emit(replace(value, name=self.name(), shape=(1, *shape)), f"tl.expand_dims({value.name}, 0)")
        elif kind == "flip" and value.dtype != "i1" and value.dtype != "f16" and 1 not in shape:
            self.emit(replace(value, name=self.name()), f"tl.flip({value.name}, {self.random.randrange(len(shape))})")

    def join(self) -> None:
        left = self.tensor(lambda v: len(v.shape) < 3 and v.dtype != "i1")
        if left is None:
            return
        right = self.tensor(lambda v: v.shape == left.shape and v.dtype == left.dtype)
        if right is None:
            return
        made = replace(left, name=self.name(), largest=max(left.largest, right.largest), grain=min(left.grain, right.grain),
                       error=max(left.error, right.error))  # fmt: skip
        kind = self.random.choice(("join", "interleave", "cat", "split"))
        if kind == "join":
            self.emit(replace(made, shape=(*left.shape, 2)), f"tl.join({left.name}, {right.name})")
        elif kind == "interleave":
            shape = (*left.shape[:-1], left.shape[-1] * 2)
            self.emit(replace(made, shape=shape), f"tl.interleave({left.name}, {right.name})")
        elif kind == "cat" and len(left.shape) == 1:
            text = f"tl.cat({left.name}, {right.name}, can_reorder=True)"
            # any order is allowed: the sum tells no orders apart
            total = integer(made.name, left.dtype, SCALAR)
            if left.is_integer:
                self.emit(total, f"tl.sum({text} & 63, 0).to({triton_type(left.dtype)})")
        elif kind == "split" and left.shape[-1] == 2 and len(left.shape) > 1:
            other = replace(left, name=self.name(), shape=left.shape[:-1])
            first = replace(left, name=made.name, shape=left.shape[:-1])
            self.statements.append(Statement((first, other), [f"{first.name}, {other.name} = tl.split({left.name})"]))
            self.values += [first, other]

    def dot(self) -> None:
        dtype = self.random.choice(("f32", "f32", "f16", "i8"))
        m, k, n = (self.random.choice((1, 8, 16, 32)) for _ in range(3))
        left, right = self.operand((m, k), dtype), self.operand((k, n), dtype)
        name = self.name()
        if dtype == "i8":
            self.emit(integer(name, "i32", (m, n)), f"tl.dot({left.name}, {right.name})")
            return
        largest, grain = left.largest * right.largest * k, left.grain * right.grain
        error = k * (left.error * right.largest + right.error * left.largest)
        made = real(
            name, "f32", (m, n), largest, grain, error + (0 if left.exact and right.exact else k * largest * 2.0**-24)
        )
        self.emit(made, f"tl.dot({left.name}, {right.name}, input_precision='ieee')")

    def operand(self, shape: tuple[int, int], dtype: str) -> Value:
        limit = 64.0
        found = self.tensor(lambda v: v.shape == shape and v.dtype == dtype and (dtype == "i8" or v.largest <= limit))
        if found is not None:
            return found
        found = self.tensor(
            lambda v: v.shape == shape[::-1] and v.dtype == dtype and (dtype == "i8" or v.largest <= limit)
        )
        if found is not None:
            return self.emit(replace(found, name=self.name(), shape=shape), f"tl.trans({found.name})")
        a, b = (1, shape[0]) if self.random.random() < 0.3 else (shape[1], 1)
        at = f"tl.arange(0, {shape[0]})[:, None] * {a} + tl.arange(0, {shape[1]})[None, :] * {b}"
        mask = f", mask=(tl.arange(0, {shape[1]})[None, :] < k) & (tl.arange(0, {shape[0]})[:, None] >= 0), other=0"
        text = f"tl.load(x_{dtype} + {at}{mask if self.random.random() < 0.5 else ''})"
        made = integer(self.name(), "i8", shape) if dtype == "i8" else Value(self.name(), dtype, shape, 8.0, 0.25)
        return self.emit(made, text)

    def gather(self) -> None:
        value = self.tensor(lambda v: v.dtype != "i1")
        index = value and self.tensor(lambda v: v.is_integer and len(v.shape) == len(value.shape))
        if value is None or index is None:
            return
        axis = self.random.randrange(len(value.shape))
        if value.shape[:axis] + value.shape[axis + 1 :] != index.shape[:axis] + index.shape[axis + 1 :]:
            return
        text = f"tl.gather({value.name}, {index.name}.to(tl.int32) & {value.shape[axis] - 1}, {axis})"
        self.emit(replace(value, name=self.name(), shape=index.shape), text)

    def histogram(self) -> None:
        value = self.tensor(lambda v: v.is_integer and len(v.shape) == 1)
        if value is None:
            return
        if self.random.random() < 0.5:
            self.emit(integer(self.name(), "i32", (16,)), f"tl.histogram(({value.name} & 15).to(tl.int32), 16)")
        elif not self.depth:
            self.effect(f"tl.atomic_add(counts + ({value.name} & 63).to(tl.int32), ({value.name} & 7).to(tl.int32))")

    # ---- control flow

    def nested(self, steps: int, known: tuple[Value, ...] = ()) -> tuple[list[Statement], list[Value]]:
        """Statements of a block; what they define is visible in it only."""
        outer, values = self.statements, list(self.values)
        self.statements, self.depth = [], self.depth + 1
        self.values += known
        for _ in range(steps):
            self.step()
        inner, self.statements = self.statements, outer
        seen, self.values, self.depth = self.values, values, self.depth - 1
        return inner, seen

    def carried(self) -> list[Value]:
        """New names for one or two values, which a block will change."""
        made = []
        for _ in range(self.random.randint(1, 2)):
            value = self.pick(lambda v: v.is_integer and v.name.startswith("v"))
            if value is not None:
                made.append(self.emit(integer(self.name(), value.dtype, value.shape), f"{value.name} + 0"))
        return made

    def update(self, value: Value, seen: list[Value]) -> str:
        """A line that gives a carried integer a new value."""
        fits = [v for v in seen if v.is_integer and v.shape in (value.shape, SCALAR)]
        other = self.random.choice(fits)
        change = f"({other.name}).to({triton_type(value.dtype)})"
        op = self.random.choice(("+", "-", "^", "*", ""))
        if not op and other.shape != value.shape:
            op = "+"
        return f"{value.name} = {value.name} {op} {change}" if op else f"{value.name} = {change}"

    def sums(self) -> list[tuple[Value, Value]]:
        """Float accumulators and what is added to them up to 8 times."""
        value = self.tensor(lambda v: v.is_float and v.dtype != "f16" and v.largest < 1e6)
        if value is None or self.random.random() < 0.5:
            return []
        total = real(self.name(), value.dtype, value.shape, value.largest * 9, value.grain, value.error * 9)
        self.statements.append(Statement((total,), [f"{total.name} = {value.name} * 1"]))
        return [(total, value)]

    def loop(self) -> None:
        carried, sums = self.carried(), self.sums()
        i = integer(self.name(), "i32", SCALAR)
        body, seen = self.nested(self.random.randint(1, 4), (i,))
        last = [self.update(value, seen) for value in carried] + [f"{t.name} += {v.name}" for t, v in sums]
        bounds = self.random.choice(("k", "0, k, 2", "1, 4", "pid, k", "3"))
        header = f"for i{i.name} in {self.random.choice(('range', 'tl.range'))}({bounds}):"
        if bounds == "3" and self.random.random() < 0.5:
            header = f"for i{i.name} in tl.static_range(3):"
        body.insert(0, Statement((i,), [f"{i.name} = i{i.name} + pid * 0"]))
        self.statements.append(Statement(tuple(carried), [], [(header, body, last)]))
        self.values += [total for total, _ in sums]

    def condition(self) -> str | None:
        value = self.pick(lambda v: not v.shape and v.exact)
        if value is None:
            return None
        return f"{value.name} {self.random.choice(('<', '>', '=='))} {self.random.randint(0, 5)}"

    def conditional(self) -> None:
        condition, carried = self.condition(), self.carried()
        if condition is None:
            return
        then, seen = self.nested(self.random.randint(1, 3))
        blocks = [(f"if {condition}:", then, [self.update(value, seen) for value in carried])]
        if self.random.random() < 0.6:
            otherwise, seen = self.nested(self.random.randint(1, 3))
            blocks.append(("else:", otherwise, [self.update(value, seen) for value in carried[:1]]))
        self.statements.append(Statement(tuple(carried), [], blocks))

    def while_loop(self) -> None:
        carried = self.carried()
        count = integer(self.name(), "i32", SCALAR)
        self.statements.append(Statement((count,), [f"{count.name} = pid"]))
        body, seen = self.nested(self.random.randint(1, 3))
        last = [self.update(value, seen) for value in carried] + [f"{count.name} += 1"]
        self.statements.append(Statement(tuple(carried), [], [(f"while {count.name} < k:", body, last)]))
        self.values.append(count)
