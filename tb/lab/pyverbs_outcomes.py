# SPDX-License-Identifier: BSD-2-Clause
"""Runs the tests of rdma-core's pyverbs in a guest and prints what became of each: a line `ID<tab>ok`, `ID<tab>skip: WHY`
or `ID<tab>error: WHY`, behind it the seconds that it took, in the order of the tests. Started in the directory that holds `tests/`, with the options of its
run_tests.py (--dev, --port, --gid)."""
import ctypes
import gc
import importlib
import sys
import time
import unittest

sys.path.insert(0, "tests")
sys.path.insert(0, ".")
from args_parser import parser  # noqa: E402
from pyverbs.dmabuf import DmaBuf  # noqa: E402


def mend_dmabuf():
    """No DmaBufMR can be made by pyverbs 56.1, whatever the device: behind a registration that went well mr.pyx looks for
    DmaBuf.add_ref as for one of Python's, and it is C's alone. Here is one; a type of C's is closed but for its own dictionary. It has nothing
    to remember: the regions of these tests have their buffers for themselves, and give them back."""
    gc.get_referents(DmaBuf.__dict__)[0]["add_ref"] = lambda self, mr: None
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(DmaBuf))


class Outcomes(unittest.TestResult):
    began = time.monotonic()

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def say(self, test, what):
        # A class or a module that failed to set up has no id of a test; its description names it.
        print(f"{test.id()}\t{' '.join(str(what).split())[:200]}\t{time.monotonic() - self.began:.1f}", flush=True)

    def addSuccess(self, test):
        self.say(test, "ok")

    def addSkip(self, test, reason):
        self.say(test, f"skip: {reason}")

    def addError(self, test, err):
        self.say(test, f"error: {err[0].__name__}: {err[1]}")

    addFailure = addError

    def addUnexpectedSuccess(self, test):
        self.say(test, "error: unexpected success")

    def addExpectedFailure(self, test, err):
        self.say(test, "ok")


mend_dmabuf()
parser.parse_args()
suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("tests"))
suite.run(Outcomes())
