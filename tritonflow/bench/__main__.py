"""The command line: `python -m tritonflow.bench`."""

from __future__ import annotations

import sys

from tritonflow.bench.command import main

if __name__ == "__main__":
    sys.exit(main())
