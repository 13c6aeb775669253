"""The command line: `python -m gpu`."""

from __future__ import annotations

import sys

from gpu.command import main

if __name__ == "__main__":
    sys.exit(main())
