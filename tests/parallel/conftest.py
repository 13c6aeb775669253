"""The pools of ranks of tests/consistent."""

from tests.consistent.conftest import (  # noqa: F401
    _pools_end,
    pytest_collection_modifyitems,
    ranks,
    ranks2,
    ranks4,
    sent,
)
