"""The native code that all kernels share, as LLVM IR: threads, scratch memory, Python errors."""

from __future__ import annotations

import sys

# Threads that may enter parallel regions. libgomp keeps a team for each thread that ever does, so
# they are few: the caller's thread and one worker. Other threads run their launches alone, and so
# does a thread that comes while a region is running.
OWNERS = 2
PARTS = 64  # a grid has one for each thread, at most so many
# All threads enter every region, also where there are fewer programs: libgomp ends those that a smaller region leaves out, and
# creates them again for the next one.
_BYTES_DATA = bytes.__basicsize__ - 1


def _text(name: str, text: str) -> str:
    return f'@{name} = internal constant [{len(text) + 1} x i8] c"{text}\\00"'


_MESSAGES = "\n".join(
    (
        _text("count_text", "a kernel was launched with %zd arguments, it takes %zd"),
        _text("range_text", "argument %zd is out of the range of its type"),
        _text("assertion_text", "%s (program %d, %d, %d)"),
        _text("grid_text", "the sizes of a grid must be between 0 and 2147483647"),
    )
)

# None is immortal since Python 3.12; before, a returned reference is counted.
_COUNT_NONE = (
    ""
    if sys.version_info >= (3, 12)
    else """  %count = load i64, ptr %none
  %more = add i64 %count, 1
  store i64 %more, ptr %none
"""
)

TEXT = f"""
%launch = type {{ ptr, i64, i64, i64, i64, i64, ptr, i64, ptr }}
%line = type [8 x i64] ; of a cache
%task = type {{ ptr, i64, i64, i64, i32, i32, i32, i32, ptr, i64, [{PARTS} x %line] }}

@threads = internal global i32 1
@forked = internal global i32 0
@busy = internal global i32 0
@owners = internal global [{OWNERS} x i64] zeroinitializer
@key = internal global i32 0
@none = internal global ptr null
@type_error = internal global ptr null
@overflow_error = internal global ptr null
@assertion_error = internal global ptr null

{_MESSAGES}
declare void @GOMP_parallel(ptr, ptr, i32, i32)
declare i32 @omp_get_thread_num()
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyErr_Occurred()
declare ptr @PyErr_Format(ptr, ptr, ...)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i32 @pthread_key_create(ptr, ptr)
declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare i64 @pthread_self()
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)

define void @tf_init(ptr %none, ptr %type_error, ptr %overflow_error, ptr %assertion_error) {{
  store ptr %none, ptr @none
  store ptr %type_error, ptr @type_error
  store ptr %overflow_error, ptr @overflow_error
  store ptr %assertion_error, ptr @assertion_error
  %r = call i32 @pthread_key_create(ptr @key, ptr @thread_ends)
  ret void
}}

define void @tf_set_threads(i32 %n) {{
  store atomic i32 %n, ptr @threads monotonic, align 4
  ret void
}}

define void @tf_after_fork() {{
  store atomic i32 1, ptr @forked monotonic, align 4
  ret void
}}

define ptr @tf_none() {{
  %none = load ptr, ptr @none
{_COUNT_NONE}  ret ptr %none
}}

define ptr @tf_wrong_count(i64 %given, i64 %wanted) {{
  %error = load ptr, ptr @type_error
  %r = call ptr (ptr, ptr, ...) @PyErr_Format(ptr %error, ptr @count_text, i64 %given, i64 %wanted)
  ret ptr null
}}

define ptr @tf_out_of_range(i64 %position) {{
  %error = load ptr, ptr @overflow_error
  %r = call ptr (ptr, ptr, ...) @PyErr_Format(ptr %error, ptr @range_text, i64 %position)
  ret ptr null
}}

; A launcher of nothing: converts as many integers as the bytes object `self` says.
define ptr @tf_empty(ptr %self, ptr %args, i64 %nargs) {{
  %at = getelementptr i8, ptr %self, i64 {_BYTES_DATA}
  %wanted = load i64, ptr %at, align 4
  %right = icmp eq i64 %nargs, %wanted
  br i1 %right, label %head, label %wrong
wrong:
  %null = call ptr @tf_wrong_count(i64 %nargs, i64 %wanted)
  ret ptr null
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %bad = phi i1 [ false, %0 ], [ %worse, %body ]
  %more = icmp slt i64 %i, %nargs
  br i1 %more, label %body, label %done
body:
  %slot = getelementptr ptr, ptr %args, i64 %i
  %object = load ptr, ptr %slot
  %value = call i64 @PyLong_AsLongLong(ptr %object)
  %minus = icmp eq i64 %value, -1
  %worse = or i1 %bad, %minus
  %next = add i64 %i, 1
  br label %head
done:
  br i1 %bad, label %ask, label %fine
ask:
  %error = call ptr @PyErr_Occurred()
  %clean = icmp eq ptr %error, null
  br i1 %clean, label %fine, label %failed
failed:
  ret ptr null
fine:
  %none = call ptr @tf_none()
  ret ptr %none
}}

define ptr @tf_bad_grid() {{
  %error = load ptr, ptr @overflow_error
  %r = call ptr (ptr, ptr, ...) @PyErr_Format(ptr %error, ptr @grid_text)
  ret ptr null
}}

define ptr @tf_assertion_failed(ptr %text, i64 %program, i32 %gx, i32 %gy) {{
  %error = load ptr, ptr @assertion_error
  %gx64 = zext i32 %gx to i64
  %gy64 = zext i32 %gy to i64
  %x = urem i64 %program, %gx64
  %row = udiv i64 %program, %gx64
  %y = urem i64 %row, %gy64
  %z = udiv i64 %row, %gy64
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %z32 = trunc i64 %z to i32
  %r = call ptr (ptr, ptr, ...) @PyErr_Format(ptr %error, ptr @assertion_text, ptr %text, i32 %x32, i32 %y32, i32 %z32)
  ret ptr null
}}

; The calling thread's scratch memory: 64 bytes that hold its size, then what the caller may use.
define ptr @tf_scratch(i64 %size) {{
  %key = load i32, ptr @key
  %old = call ptr @pthread_getspecific(i32 %key)
  %missing = icmp eq ptr %old, null
  br i1 %missing, label %make, label %look
look:
  %have = load i64, ptr %old
  %enough = icmp uge i64 %have, %size
  br i1 %enough, label %use_old, label %drop
use_old:
  %old_data = getelementptr i8, ptr %old, i64 64
  ret ptr %old_data
drop:
  call void @free(ptr %old)
  br label %make
make:
  %more = add i64 %size, 8255
  %bytes = and i64 %more, -4096
  %new = call ptr @aligned_alloc(i64 4096, i64 %bytes)
  %room = sub i64 %bytes, 64
  store i64 %room, ptr %new
  %r = call i32 @pthread_setspecific(i32 %key, ptr %new)
  %data = getelementptr i8, ptr %new, i64 64
  ret ptr %data
}}

define internal void @thread_ends(ptr %memory) {{
  call void @free(ptr %memory)
  %self = call i64 @pthread_self()
  %a = cmpxchg ptr @owners, i64 %self, i64 0 seq_cst seq_cst
  %second = getelementptr i64, ptr @owners, i64 1
  %b = cmpxchg ptr %second, i64 %self, i64 0 seq_cst seq_cst
  ret void
}}

; Whether the calling thread may enter parallel regions. Called with @busy held.
define internal i1 @may_enter() {{
  %self = call i64 @pthread_self()
  %second = getelementptr i64, ptr @owners, i64 1
  %a = load i64, ptr @owners
  %is_a = icmp eq i64 %a, %self
  %b = load i64, ptr %second
  %is_b = icmp eq i64 %b, %self
  %known = or i1 %is_a, %is_b
  br i1 %known, label %yes, label %new
new:
  %memory = call ptr @tf_scratch(i64 64)
  %ca = cmpxchg ptr @owners, i64 0, i64 %self seq_cst seq_cst
  %got_a = extractvalue {{ i64, i1 }} %ca, 1
  br i1 %got_a, label %yes, label %try_b
try_b:
  %cb = cmpxchg ptr %second, i64 0, i64 %self seq_cst seq_cst
  %got_b = extractvalue {{ i64, i1 }} %cb, 1
  ret i1 %got_b
yes:
  ret i1 true
}}

define internal ptr @scratch_if_any(i64 %size) {{
  %any = icmp ne i64 %size, 0
  br i1 %any, label %some, label %nothing
some:
  %memory = call ptr @tf_scratch(i64 %size)
  ret ptr %memory
nothing:
  ret ptr null
}}

; The first program of a part.
define internal i64 @first_of(i64 %number, i64 %total, i64 %parts) {{
  %scaled = mul i64 %number, %total
  %first = udiv i64 %scaled, %parts
  ret i64 %first
}}

; Programs [0, total) of a kernel. A thread begins with its own part, in every launch the same one, whose data its cache may
; still have (sums of 16 MB 1.3 times as fast, additions of 1M elements 1.2 times: `tritonflow.bench kernels`); then it takes
; programs from the others' parts. A part's line in the task has its next program.
define internal void @share(ptr %t) {{
entry:
  %fn_at = getelementptr %task, ptr %t, i32 0, i32 0
  %fn = load ptr, ptr %fn_at
  %total_at = getelementptr %task, ptr %t, i32 0, i32 1
  %total = load i64, ptr %total_at
  %parts_at = getelementptr %task, ptr %t, i32 0, i32 2
  %parts = load i64, ptr %parts_at
  %chunk_at = getelementptr %task, ptr %t, i32 0, i32 3
  %chunk = load i64, ptr %chunk_at
  %gx_at = getelementptr %task, ptr %t, i32 0, i32 4
  %gx = load i32, ptr %gx_at
  %gy_at = getelementptr %task, ptr %t, i32 0, i32 5
  %gy = load i32, ptr %gy_at
  %gz_at = getelementptr %task, ptr %t, i32 0, i32 6
  %gz = load i32, ptr %gz_at
  %args_at = getelementptr %task, ptr %t, i32 0, i32 8
  %args = load ptr, ptr %args_at
  %size_at = getelementptr %task, ptr %t, i32 0, i32 9
  %size = load i64, ptr %size_at
  %scratch = call ptr @scratch_if_any(i64 %size)
  %me = call i32 @omp_get_thread_num()
  %own = zext i32 %me to i64
  %last = add i64 %own, %parts
  br label %visit
visit:
  %visited = phi i64 [ %own, %entry ], [ %following, %empty ]
  %some = icmp slt i64 %visited, %last
  br i1 %some, label %enter, label %done
enter:
  %number = urem i64 %visited, %parts
  %after = add i64 %number, 1
  %stop = call i64 @first_of(i64 %after, i64 %total, i64 %parts)
  %next_at = getelementptr %task, ptr %t, i32 0, i32 10, i64 %number
  br label %again
again:
  %begin = atomicrmw add ptr %next_at, i64 %chunk monotonic
  %left = icmp slt i64 %begin, %stop
  br i1 %left, label %go, label %empty
go:
  %to = add i64 %begin, %chunk
  %inside = icmp slt i64 %to, %stop
  %end = select i1 %inside, i64 %to, i64 %stop
  call void %fn(i64 %begin, i64 %end, i32 %gx, i32 %gy, i32 %gz, ptr %args, ptr %scratch)
  br label %again
empty:
  %following = add i64 %visited, 1
  br label %visit
done:
  ret void
}}

; The parts of a task, none of them begun.
define internal void @divide(ptr %t, i64 %total, i64 %parts) {{
entry:
  %parts_at = getelementptr %task, ptr %t, i32 0, i32 2
  store i64 %parts, ptr %parts_at
  br label %head
head:
  %number = phi i64 [ 0, %entry ], [ %following, %head ]
  %next_at = getelementptr %task, ptr %t, i32 0, i32 10, i64 %number
  %first = call i64 @first_of(i64 %number, i64 %total, i64 %parts)
  store i64 %first, ptr %next_at
  %following = add i64 %number, 1
  %more = icmp slt i64 %following, %parts
  br i1 %more, label %head, label %done
done:
  ret void
}}

define void @tf_run(ptr %fn, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %args, i64 %size) {{
  %threads = load atomic i32, ptr @threads monotonic, align 4
  %one_thread = icmp sle i32 %threads, 1
  %one_program = icmp sle i64 %total, 1
  %is_forked = load atomic i32, ptr @forked monotonic, align 4
  %child = icmp ne i32 %is_forked, 0
  %s0 = or i1 %one_thread, %one_program
  %s1 = or i1 %s0, %child
  br i1 %s1, label %serial, label %try
try:
  %lock = cmpxchg ptr @busy, i32 0, i32 1 acquire monotonic
  %locked = extractvalue {{ i32, i1 }} %lock, 1
  br i1 %locked, label %ask, label %serial
ask:
  %may = call i1 @may_enter()
  br i1 %may, label %parallel, label %refuse
refuse:
  store atomic i32 0, ptr @busy release, align 4
  br label %serial
parallel:
  %t = alloca %task, align 64
  %fn_at = getelementptr %task, ptr %t, i32 0, i32 0
  store ptr %fn, ptr %fn_at
  %total_at = getelementptr %task, ptr %t, i32 0, i32 1
  store i64 %total, ptr %total_at
  %threads64 = zext i32 %threads to i64
  %chunks = shl i64 %threads64, 3
  %share_size = udiv i64 %total, %chunks
  %none_left = icmp eq i64 %share_size, 0
  %chunk = select i1 %none_left, i64 1, i64 %share_size
  %chunk_at = getelementptr %task, ptr %t, i32 0, i32 3
  store i64 %chunk, ptr %chunk_at
  %gx_at = getelementptr %task, ptr %t, i32 0, i32 4
  store i32 %gx, ptr %gx_at
  %gy_at = getelementptr %task, ptr %t, i32 0, i32 5
  store i32 %gy, ptr %gy_at
  %gz_at = getelementptr %task, ptr %t, i32 0, i32 6
  store i32 %gz, ptr %gz_at
  %args_at = getelementptr %task, ptr %t, i32 0, i32 8
  store ptr %args, ptr %args_at
  %size_at = getelementptr %task, ptr %t, i32 0, i32 9
  store i64 %size, ptr %size_at
  %fewer = icmp slt i64 %total, %threads64
  %team64 = select i1 %fewer, i64 %total, i64 %threads64
  %many = icmp sgt i64 %team64, {PARTS}
  %parts = select i1 %many, i64 {PARTS}, i64 %team64
  call void @divide(ptr %t, i64 %total, i64 %parts)
  call void @GOMP_parallel(ptr @share, ptr %t, i32 %threads, i32 0)
  store atomic i32 0, ptr @busy release, align 4
  ret void
serial:
  %scratch = call ptr @scratch_if_any(i64 %size)
  call void %fn(i64 0, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %args, ptr %scratch)
  ret void
}}

; The launches of a table, in order, up to one that sets its error word: the bytes object `self` has the table's address and length,
; and whether to keep the GIL.
define ptr @tf_program(ptr %self, ptr %args, i64 %nargs) {{
entry:
  %table_at = getelementptr i8, ptr %self, i64 {_BYTES_DATA}
  %table = load ptr, ptr %table_at, align 4
  %count_at = getelementptr i8, ptr %self, i64 {_BYTES_DATA + 8}
  %count = load i64, ptr %count_at, align 4
  %held_at = getelementptr i8, ptr %self, i64 {_BYTES_DATA + 16}
  %held = load i64, ptr %held_at, align 4
  %keep = icmp ne i64 %held, 0
  br i1 %keep, label %start, label %save
save:
  %saved = call ptr @PyEval_SaveThread()
  br label %start
start:
  %state = phi ptr [ null, %entry ], [ %saved, %save ]
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %next, %go_on ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %record = getelementptr %launch, ptr %table, i64 %i
  %fn = load ptr, ptr %record
  %total_at = getelementptr %launch, ptr %record, i32 0, i32 1
  %total = load i64, ptr %total_at
  %gx_at = getelementptr %launch, ptr %record, i32 0, i32 2
  %gx64 = load i64, ptr %gx_at
  %gy_at = getelementptr %launch, ptr %record, i32 0, i32 3
  %gy64 = load i64, ptr %gy_at
  %gz_at = getelementptr %launch, ptr %record, i32 0, i32 4
  %gz64 = load i64, ptr %gz_at
  %inline_at = getelementptr %launch, ptr %record, i32 0, i32 5
  %inline = load i64, ptr %inline_at
  %args_at = getelementptr %launch, ptr %record, i32 0, i32 6
  %packed = load ptr, ptr %args_at
  %size_at = getelementptr %launch, ptr %record, i32 0, i32 7
  %size = load i64, ptr %size_at
  %gx = trunc i64 %gx64 to i32
  %gy = trunc i64 %gy64 to i32
  %gz = trunc i64 %gz64 to i32
  %large = icmp eq i64 %inline, 0
  br i1 %large, label %spread, label %here
spread:
  call void @tf_run(ptr %fn, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %packed, i64 %size)
  br label %done
here:
  %scratch = call ptr @scratch_if_any(i64 %size)
  call void %fn(i64 0, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %packed, ptr %scratch)
  br label %done
done:
  %word_at = getelementptr %launch, ptr %record, i32 0, i32 8
  %word = load ptr, ptr %word_at
  %unchecked = icmp eq ptr %word, null
  br i1 %unchecked, label %go_on, label %check
check:
  %error = load i32, ptr %word
  %bad = icmp ne i32 %error, 0
  br i1 %bad, label %end, label %go_on
go_on:
  %next = add i64 %i, 1
  br label %head
end:
  br i1 %keep, label %finish, label %restore
restore:
  call void @PyEval_RestoreThread(ptr %state)
  br label %finish
finish:
  %none = call ptr @tf_none()
  ret ptr %none
}}
"""
