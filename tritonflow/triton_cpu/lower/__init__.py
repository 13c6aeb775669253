"""TTIR to LLVM IR.

A tensor is a lazy function of its index. A *root* (store, reduction, dot operand, atomic, loop-carried value) becomes a
loop nest whose innermost step handles up to 32 elements, the *lanes*, explicitly.
"""
