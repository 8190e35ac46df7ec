"""Against a cluster that runs: io.praline.tests.flow.PythonFeedTest starts pytest, and says where all is by the environment."""

import importlib
import json
import os
import shlex
import subprocess
import time

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
        """The job's state, by the command."""
        words = [*shlex.split(os.environ["PRALINE_TEST_COMMAND"]), "job", job, "--json"]
        words += shlex.split(os.environ["PRALINE_TEST_CLUSTER"])
        return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.splitlines()[0])["state"]

    def await_state(self, job, wanted, seconds=20):
        until = time.monotonic() + seconds
        while self.state(job) != wanted:
            assert time.monotonic() < until, f"job {job} is {self.state(job)} and not {wanted}"


def framework(name):
    """The module; the test is skipped where it is missing, and fails in CI where .ci/requirements.txt has it."""
    if name == "jax" and os.environ.get("CI") == "true":
        return importlib.import_module(name)
    return pytest.importorskip(name)


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes many seconds, and is run with -Plong alone")


@pytest.fixture
def given():
    return Given()
