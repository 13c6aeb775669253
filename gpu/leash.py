"""`python leash.py PARENT NICENESS COMMAND...` becomes the command, and ends as soon as the process PARENT does.

Whoever ends the whole run by SIGKILL leaves nothing behind on the GPU.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(sys.argv[1]):
        os.nice(int(sys.argv[2]))
        os.execvp(sys.argv[3], sys.argv[3:])
