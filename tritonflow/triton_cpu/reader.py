"""The code that converts a launcher's Python arguments to the 8-byte slots that a kernel reads."""

from __future__ import annotations

from .arguments import BITS, FLOATS, KINDS
from .lower import convert
from .lower.builder import Builder
from .lower.lanes import LaneBuilder, uniform


def reading_text(native_f16: bool) -> str:
    """LLVM IR of `@read`, which converts `count` Python arguments.

    It returns true, and sets Python's error, if an argument is not of its kind. `before` is how
    many arguments the launcher was given before these.
    """
    reader = _LoopReader(native_f16)
    for number, kind in enumerate(KINDS):
        reader.case(number, kind)
    cases = " ".join(f"i8 {number}, label %kind{number}" for number in range(len(KINDS)))
    return "\n".join([_HEAD, *reader.b.allocas, _LOOP.format(cases=cases), *reader.b.lines, _END])


class _LoopReader:
    """Emits a case of the loop in `@read` for each kind."""

    def __init__(self, native_f16: bool) -> None:
        self.b = Builder()
        self.lb = LaneBuilder(self.b, native_f16)

    def case(self, number: int, kind: str) -> None:
        self.b.begin_block(f"kind{number}")
        self.b.line(f"store {self.converted(kind)}, ptr %slot")
        self.b.jump("next")

    def doubt(self, condition: str) -> None:
        """Note a condition under which a conversion may have failed. All are tested at once."""
        before = self.b.inst("load i1, ptr %suspect")
        self.b.line(f"store i1 {self.b.inst(f'or i1 {before}, {condition}')}, ptr %suspect")

    def integer(self, function: str) -> str:
        value = self.b.inst(f"call i64 @{function}(ptr %object)")
        self.doubt(self.b.inst(f"icmp eq i64 {value}, -1"))
        return value

    def converted(self, kind: str) -> str:
        """The type and value of the slot."""
        b = self.b
        if kind == "x64":
            return f"i64 {self.integer('PyLong_AsUnsignedLongLongMask')}"
        if kind in ("*", "u64", "i64"):
            return f"i64 {self.integer('PyLong_AsLongLong' if kind == 'i64' else 'PyLong_AsSize_t')}"
        if kind in BITS:
            return self.narrow(kind)
        if kind in ("i1", "u1"):
            truth = b.inst("call i32 @PyObject_IsTrue(ptr %object)")
            self.doubt(b.inst(f"icmp eq i32 {truth}, -1"))
            return f"i8 {b.inst(f'trunc i32 {truth} to i8')}"
        elem = FLOATS[kind]
        value = b.inst("call double @PyFloat_AsDouble(ptr %object)")
        self.doubt(b.inst(f"fcmp oeq double {value}, -1.0"))
        lane = convert.float_to_float(self.lb, uniform("f64", value), elem, 1)
        return f"{ {'f64': 'double', 'f32': 'float'}.get(elem, 'i16') } {lane.value}"

    def narrow(self, kind: str) -> str:
        b, bits = self.b, BITS[kind]
        value = self.integer("PyLong_AsLongLong")
        low = 0 if kind[0] == "u" else -(1 << (bits - 1))
        high = (1 << bits - 1) if kind[0] == "i" else 1 << bits
        fits, right = b.inst(f"icmp ult i64 {b.sub('i64', value, str(low))}, {high - low}"), b.label("right")
        b.branch(fits, right, "out_of_range")
        b.begin_block(right)
        return f"i{bits} {b.inst(f'trunc i64 {value} to i{bits}')}"


_HEAD = """
declare i64 @PyLong_AsSize_t(ptr)
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)

define internal i1 @read(ptr %args, i64 %before, i64 %count, ptr %kinds, ptr %slots) {
entry:
  %suspect = alloca i1
  store i1 false, ptr %suspect"""

_LOOP = """
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %following, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %body, label %done
body:
  %object_at = getelementptr ptr, ptr %args, i64 %k
  %object = load ptr, ptr %object_at
  %slot = getelementptr i64, ptr %slots, i64 %k
  %kind_at = getelementptr i8, ptr %kinds, i64 %k
  %kind = load i8, ptr %kind_at
  %is_pointer = icmp eq i8 %kind, 0
  br i1 %is_pointer, label %kind0, label %others
others:
  switch i8 %kind, label %next [ {cases} ]"""

_END = """next:
  %following = add i64 %k, 1
  br label %head
out_of_range:
  %pending = call ptr @PyErr_Occurred()
  %first = icmp eq ptr %pending, null
  br i1 %first, label %say, label %failed
say:
  %at = add i64 %before, %k
  %position = add i64 %at, 1
  %r = call ptr @tf_out_of_range(i64 %position)
  br label %failed
failed:
  ret i1 true
done:
  %doubtful = load i1, ptr %suspect
  br i1 %doubtful, label %ask, label %fine
ask:
  %error = call ptr @PyErr_Occurred()
  %clean = icmp eq ptr %error, null
  br i1 %clean, label %fine, label %failed
fine:
  ret i1 false
}
"""
