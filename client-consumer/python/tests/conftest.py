"""Against a cluster that runs: io.praline.tests.flow.PythonSuite starts pytest, and says where all is by the environment."""

import importlib
import importlib.util
import json
import os
import time
import urllib.request

import pytest


class Given:
    """What the tests find."""

    pipeline = os.environ.get("PRALINE_TEST_PIPELINE", "")
    data = os.environ.get("PRALINE_TEST_DATA", "")
    names = ["number", "image", "text", "half"]

    @property
    def rows(self):
        """By number: the sum of its image, its text, its half, as the Java client yielded them."""
        with open(os.environ["PRALINE_TEST_ROWS"]) as file:
            return {row["number"]: row for row in map(json.loads, file)}

    def state(self, job):
        """The job's state, as the Java client knows it."""
        here = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with here.open(os.environ["PRALINE_TEST_STATES"] + job, timeout=90) as answer:
            return answer.read().decode()

    def await_state(self, job, wanted, seconds=90):
        until = time.monotonic() + seconds
        while self.state(job) != wanted:
            assert time.monotonic() < until, f"job {job} is {self.state(job)} and not {wanted}"
            time.sleep(0.05)


def framework(name):
    """The module; the test is skipped where it is missing, and fails in CI where .ci/requirements.txt has it."""
    if name == "jax" and os.environ.get("CI") == "true":
        return importlib.import_module(name)
    return pytest.importorskip(name)


def require(*names):
    """
    As :func:`framework`, of what a program of its own imports: not all of them can be in one process, which Lightning's import
    behind TensorFlow's has been seen to end.
    """
    for name in names:
        if importlib.util.find_spec(name) is None:
            assert name != "jax" or os.environ.get("CI") != "true", f"{name} is missing, and .ci/requirements.txt has it"
            pytest.skip(f"{name} is not installed")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes many seconds, and is run with -Plong alone")


@pytest.fixture
def given():
    return Given()
