"""Watching: while a function is captured, what its Python reads and writes outside of the call is an event.

`rewrite` gives user code probes, which `listing` puts into code objects. `events` says what each instruction does, `calls` what
built-in functions do, `watch` remembers it, `slots` are the places that were read or written. Behind the capture, reads are
`guards`, and writes are `stores`.
"""
