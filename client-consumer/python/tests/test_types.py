"""The package's annotations, which py.typed offers to others."""

import importlib.util
import os
import subprocess
import sys

import pytest


@pytest.mark.long
def test_the_type_checker_finds_nothing():
    if importlib.util.find_spec("basedpyright") is None:
        assert os.environ.get("CI") != "true", ".ci/requirements.txt has basedpyright, and it is missing"
        pytest.skip("basedpyright is not installed")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    words = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--project", here]
    checked = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert checked.returncode == 0, checked.stdout
