"""The code that runs the launches of an exported program, as LLVM IR: it needs nothing but POSIX threads.

`tritonflow_run(table, count, threads, scratch, stride)` runs the launches of a table in order, up to one that sets its error word,
whose number it returns; -1 if there is none. A launch is nine 64-bit words: function, programs, grid x, y, z, whether the caller
runs it alone, arguments, nothing, error word. A thread has `stride` bytes of scratch memory.

Other threads live as long as the run. They wait for the gate of a launch to open, take programs until none is left, and leave. The
caller takes programs, too, closes the gate, and waits for those who are inside: never for a thread that has not come. The gate is
one word, so that nobody enters what is closed:

    generation << 32 | open << 31 | threads inside
"""

from __future__ import annotations

ENTRY = "tritonflow_run"
MOST_THREADS = 64
_OPEN = 1 << 31

TEXT = f"""
%launch = type {{ ptr, i64, i64, i64, i64, i64, ptr, i64, ptr }}
%line = type [8 x i64] ; of a cache
%team = type {{ ptr, i64, ptr, i64, %line, %line, %line }} ; launch, chunk, scratch, stride; gate, next program, whether to stop
%member = type {{ ptr, i64 }}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @sched_yield()
declare void @llvm.x86.sse2.pause()

define internal void @wait(i64 %tries) nounwind {{
  %early = icmp slt i64 %tries, 4000
  br i1 %early, label %spin, label %yield
spin:
  call void @llvm.x86.sse2.pause()
  ret void
yield:
  %r = call i32 @sched_yield()
  ret void
}}

; Take programs of the launch until none is left.
define internal void @share(ptr %team, i64 %number) nounwind {{
entry:
  %launch = load ptr, ptr %team
  %chunk_at = getelementptr %team, ptr %team, i32 0, i32 1
  %chunk = load i64, ptr %chunk_at
  %all_scratch_at = getelementptr %team, ptr %team, i32 0, i32 2
  %all_scratch = load ptr, ptr %all_scratch_at
  %stride_at = getelementptr %team, ptr %team, i32 0, i32 3
  %stride = load i64, ptr %stride_at
  %offset = mul i64 %stride, %number
  %scratch = getelementptr i8, ptr %all_scratch, i64 %offset
  %fn = load ptr, ptr %launch
  %total_at = getelementptr %launch, ptr %launch, i32 0, i32 1
  %total = load i64, ptr %total_at
  %gx_at = getelementptr %launch, ptr %launch, i32 0, i32 2
  %gx64 = load i64, ptr %gx_at
  %gy_at = getelementptr %launch, ptr %launch, i32 0, i32 3
  %gy64 = load i64, ptr %gy_at
  %gz_at = getelementptr %launch, ptr %launch, i32 0, i32 4
  %gz64 = load i64, ptr %gz_at
  %args_at = getelementptr %launch, ptr %launch, i32 0, i32 6
  %args = load ptr, ptr %args_at
  %gx = trunc i64 %gx64 to i32
  %gy = trunc i64 %gy64 to i32
  %gz = trunc i64 %gz64 to i32
  %next_at = getelementptr %team, ptr %team, i32 0, i32 5
  br label %again
again:
  %begin = atomicrmw add ptr %next_at, i64 %chunk monotonic
  %left = icmp slt i64 %begin, %total
  br i1 %left, label %go, label %done
go:
  %to = add i64 %begin, %chunk
  %inside = icmp slt i64 %to, %total
  %end = select i1 %inside, i64 %to, i64 %total
  call void %fn(i64 %begin, i64 %end, i32 %gx, i32 %gy, i32 %gz, ptr %args, ptr %scratch)
  br label %again
done:
  ret void
}}

define internal ptr @work(ptr %member) nounwind {{
entry:
  %team = load ptr, ptr %member
  %number_at = getelementptr %member, ptr %member, i32 0, i32 1
  %number = load i64, ptr %number_at
  %gate_at = getelementptr %team, ptr %team, i32 0, i32 4
  %stop_at = getelementptr %team, ptr %team, i32 0, i32 6
  br label %look
look:
  %mine = phi i64 [ 0, %entry ], [ %mine, %again ], [ %generation, %leave ], [ %mine, %enter ]
  %tries = phi i64 [ 0, %entry ], [ %more, %again ], [ 0, %leave ], [ %tries, %enter ]
  %gate = load atomic i64, ptr %gate_at acquire, align 8
  %generation = lshr i64 %gate, 32
  %new = icmp ne i64 %generation, %mine
  %bit = and i64 %gate, {_OPEN}
  %open = icmp ne i64 %bit, 0
  %may = and i1 %new, %open
  br i1 %may, label %enter, label %idle
idle:
  %stop = load atomic i64, ptr %stop_at acquire, align 8
  %over = icmp ne i64 %stop, 0
  br i1 %over, label %finish, label %again
again:
  call void @wait(i64 %tries)
  %more = add i64 %tries, 1
  br label %look
enter:
  %one_more = add i64 %gate, 1
  %swap = cmpxchg ptr %gate_at, i64 %gate, i64 %one_more acquire monotonic
  %inside = extractvalue {{ i64, i1 }} %swap, 1
  br i1 %inside, label %leave, label %look
leave:
  call void @share(ptr %team, i64 %number)
  %r = atomicrmw sub ptr %gate_at, i64 1 release
  br label %look
finish:
  ret ptr null
}}

; One launch over all threads.
define internal void @spread(ptr %team, ptr %launch, i64 %threads) nounwind {{
entry:
  store ptr %launch, ptr %team
  %total_at = getelementptr %launch, ptr %launch, i32 0, i32 1
  %total = load i64, ptr %total_at
  %chunks = shl i64 %threads, 3
  %part = udiv i64 %total, %chunks
  %none = icmp eq i64 %part, 0
  %chunk = select i1 %none, i64 1, i64 %part
  %chunk_at = getelementptr %team, ptr %team, i32 0, i32 1
  store i64 %chunk, ptr %chunk_at
  %next_at = getelementptr %team, ptr %team, i32 0, i32 5
  store atomic i64 0, ptr %next_at monotonic, align 8
  %gate_at = getelementptr %team, ptr %team, i32 0, i32 4
  %gate = load atomic i64, ptr %gate_at monotonic, align 8
  %generation = lshr i64 %gate, 32
  %following = add i64 %generation, 1
  %high = shl i64 %following, 32
  %open = or i64 %high, {_OPEN}
  store atomic i64 %open, ptr %gate_at release, align 8
  call void @share(ptr %team, i64 0)
  %r = atomicrmw sub ptr %gate_at, i64 {_OPEN} acq_rel
  br label %look
look:
  %tries = phi i64 [ 0, %entry ], [ %more, %again ]
  %now = load atomic i64, ptr %gate_at acquire, align 8
  %inside = and i64 %now, {_OPEN - 1}
  %empty = icmp eq i64 %inside, 0
  br i1 %empty, label %done, label %again
again:
  call void @wait(i64 %tries)
  %more = add i64 %tries, 1
  br label %look
done:
  ret void
}}

; Whether a launch is worth other threads.
define internal i1 @is_large(ptr %launch) nounwind {{
  %total_at = getelementptr %launch, ptr %launch, i32 0, i32 1
  %total = load i64, ptr %total_at
  %inline_at = getelementptr %launch, ptr %launch, i32 0, i32 5
  %inline = load i64, ptr %inline_at
  %spread = icmp eq i64 %inline, 0
  %many = icmp sgt i64 %total, 1
  %large = and i1 %spread, %many
  ret i1 %large
}}

define i64 @kernel(ptr %table, i64 %count, i64 %wanted, ptr %scratch, i64 %stride) nounwind {{
entry:
  %team = alloca %team, align 64
  %ids = alloca [{MOST_THREADS} x i64]
  %members = alloca [{MOST_THREADS} x %member]
  %scratch_at = getelementptr %team, ptr %team, i32 0, i32 2
  store ptr %scratch, ptr %scratch_at
  %stride_at = getelementptr %team, ptr %team, i32 0, i32 3
  store i64 %stride, ptr %stride_at
  %gate_at = getelementptr %team, ptr %team, i32 0, i32 4
  store atomic i64 0, ptr %gate_at monotonic, align 8
  %stop_at = getelementptr %team, ptr %team, i32 0, i32 6
  store atomic i64 0, ptr %stop_at monotonic, align 8
  br label %search
search: ; is any launch large?
  %s = phi i64 [ 0, %entry ], [ %s_next, %searched ]
  %s_more = icmp slt i64 %s, %count
  br i1 %s_more, label %searched, label %begun
searched:
  %s_launch = getelementptr %launch, ptr %table, i64 %s
  %s_large = call i1 @is_large(ptr %s_launch)
  %s_next = add i64 %s, 1
  br i1 %s_large, label %hire, label %search
hire:
  %team_size = phi i64 [ 1, %searched ], [ %larger, %hired ]
  %enough = icmp sge i64 %team_size, %wanted
  br i1 %enough, label %begun, label %create
create:
  %member = getelementptr [{MOST_THREADS} x %member], ptr %members, i64 0, i64 %team_size
  store ptr %team, ptr %member
  %number_at = getelementptr %member, ptr %member, i32 0, i32 1
  store i64 %team_size, ptr %number_at
  %id_at = getelementptr [{MOST_THREADS} x i64], ptr %ids, i64 0, i64 %team_size
  %failed = call i32 @pthread_create(ptr %id_at, ptr null, ptr @work, ptr %member)
  %fine = icmp eq i32 %failed, 0
  br i1 %fine, label %hired, label %begun
hired:
  %larger = add i64 %team_size, 1
  br label %hire
begun:
  %threads = phi i64 [ 1, %search ], [ %team_size, %hire ], [ %team_size, %create ]
  br label %head
head:
  %i = phi i64 [ 0, %begun ], [ %next, %go_on ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %launch = getelementptr %launch, ptr %table, i64 %i
  %large = call i1 @is_large(ptr %launch)
  %several = icmp sgt i64 %threads, 1
  %shared = and i1 %large, %several
  br i1 %shared, label %over_all, label %here
over_all:
  call void @spread(ptr %team, ptr %launch, i64 %threads)
  br label %done
here:
  %fn = load ptr, ptr %launch
  %total_at = getelementptr %launch, ptr %launch, i32 0, i32 1
  %total = load i64, ptr %total_at
  %gx_at = getelementptr %launch, ptr %launch, i32 0, i32 2
  %gx64 = load i64, ptr %gx_at
  %gy_at = getelementptr %launch, ptr %launch, i32 0, i32 3
  %gy64 = load i64, ptr %gy_at
  %gz_at = getelementptr %launch, ptr %launch, i32 0, i32 4
  %gz64 = load i64, ptr %gz_at
  %args_at = getelementptr %launch, ptr %launch, i32 0, i32 6
  %args = load ptr, ptr %args_at
  %gx = trunc i64 %gx64 to i32
  %gy = trunc i64 %gy64 to i32
  %gz = trunc i64 %gz64 to i32
  call void %fn(i64 0, i64 %total, i32 %gx, i32 %gy, i32 %gz, ptr %args, ptr %scratch)
  br label %done
done:
  %word_at = getelementptr %launch, ptr %launch, i32 0, i32 8
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
  %result = phi i64 [ -1, %head ], [ %i, %check ]
  store atomic i64 1, ptr %stop_at release, align 8
  br label %dismiss
dismiss:
  %d = phi i64 [ 1, %end ], [ %d_next, %dismissed ]
  %left = icmp slt i64 %d, %threads
  br i1 %left, label %dismissed, label %finish
dismissed:
  %d_id_at = getelementptr [{MOST_THREADS} x i64], ptr %ids, i64 0, i64 %d
  %d_id = load i64, ptr %d_id_at
  %d_r = call i32 @pthread_join(i64 %d_id, ptr null)
  %d_next = add i64 %d, 1
  br label %dismiss
finish:
  ret i64 %result
}}
"""
