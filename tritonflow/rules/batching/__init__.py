"""The batching rules of `vmap`: for each kind of op, how one op on all examples does what the op does for each of them."""
