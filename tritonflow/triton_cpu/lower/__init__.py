"""TTIR to LLVM IR.

A kernel is lowered in program order. Most operations on tensors emit nothing: their results are
lazy. A root emits a loop nest, whose innermost step evaluates what the root needs, up to 32
elements at a time:

    %a = tt.load p           lazy                    for i in 0, 32, 64 ...        one loop nest
    %b = math.exp %a         lazy          ──►           a = load 32 lanes
    %c = arith.addf %b, %a   lazy                        b = exp a
    tt.store q, %c           root                        store b + a

The words of this room:

lazy value
    A tensor that no memory holds. It is a function of an index, evaluated where it is needed.
root
    An operation that emits code where it stands, and evaluates its operands for it: a store, a
    reduction, a product, an atomic, a loop.
index
    For each dimension of a tensor, the lanes' positions along it. A *symbolic* index says the same
    in terms of a root's index.
chunk
    The elements that one step of the innermost loop handles: neighbours, at most 32.
lane
    One element of a chunk. `Lanes` are the value of a tensor on a chunk: *uniform*, *affine* or a
    *vector* (`lanes.py`).
buffer
    Memory for a tensor of a kernel. To *materialise* a value is to evaluate it into a buffer.
chosen value
    A lazy value that is worth a buffer, because evaluating it again would cost more.
pending value
    A chosen value that a loop nest evaluates anyway, at the nest's own index. The nest fills its
    buffer on the way.
memo
    The lanes that were evaluated since a stretch of code began. The same value at the same index
    is not evaluated again in it.
hoisted value
    Lanes that do not change in the innermost loop, evaluated ahead of it.
monotone mask
    A mask that is true on a whole box of indices if it is true at the corners.
decided mask
    A mask that is known to be true, or false, on the whole chunk under emission.
demanded elements
    The rows and columns of a tensor that some store writes. Others need not be computed.
induction
    A loop-carried tensor that is its initial value plus one offset for all elements.
slot
    Memory for a value that crosses control flow: a stack slot for a scalar, a buffer for a tensor.
rule
    The function that lowers one kind of operation. Rules of roots are registered by `lowers`,
    rules of lazy values by `evaluates`, and rules of single elements by `handles`.

Files import each other in this order: `builder`, `lanes` and the arithmetic on lanes; `analysis`;
`state` and `views`; `masks`; `evaluate`; `bounds` and `hoist`; `nest`; `lowering`; the rules of
roots; `kernel`.
"""
