"""`flow.mock_torch`: programs that say `import torch` get tritonflow, their sources untouched.

    with flow.mock_torch.enable():
        import torch                    # tritonflow, under torch's names
        from timm import create_model   # a package of its own, whose torch is tritonflow, too

    python -m tritonflow.mock_torch program.py ...      # a whole program
    python -m tritonflow.mock_torch --report program.py # which names it would miss

Nothing changes for other code. tritonflow, Triton, NumPy and modules that were imported before hold the real torch;
`sys.modules["torch"]` stays what it is. docs/mock_torch.md tells more.

Source: oneflow.mock_torch.
"""

from tritonflow.mock_torch.context import disable, enable, is_enabled
from tritonflow.mock_torch.program import run_module, run_program
from tritonflow.mock_torch.reporting import NamesReport, report

__all__ = ["NamesReport", "disable", "enable", "is_enabled", "report", "run_module", "run_program"]
