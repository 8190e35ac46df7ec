"""
What people do to notebooks, over and over: cells are run again, and something is killed. Nothing is left behind, and what
happened is told at once, in one sentence.

PRALINE_TEST_RESTARTS says how many rounds there are.
"""

import concurrent.futures
import itertools
import json
import os
import signal
import subprocess
import sys
import time

import praline
import pytest

ROUNDS = int(os.environ.get("PRALINE_TEST_RESTARTS", "4"))

pytestmark = pytest.mark.long

#: runs cells as a notebook's kernel does: in one process, in which names stay, and in which what is raised ends no more than its cell
KERNEL = """
import json, sys, time, traceback
names = {}
for line in sys.stdin:
    began = time.monotonic()
    try:
        exec(json.loads(line), names)
        told = {}
    except BaseException as raised:
        told = {"raised": type(raised).__name__, "line": str(raised), "notes": getattr(raised, "__notes__", [])}
    told["seconds"] = time.monotonic() - began
    told["job"] = names["feed"].job if "feed" in names else None
    print(json.dumps({**told, **names.get("said", {})}), flush=True)
"""

OPEN = """
import os, signal, time, praline
from praline import _java
feed = praline.feed(PIPELINE, DATA, names=NAMES, epochs=EPOCHS, memory_mb=8, **MORE)
kept = next(feed)["image"]
said = {"java": _java.pid()}
"""

GO_ON = """
came = sum(batch.size for batch in feed)
said["came"] = came
"""


class Kernel:
    def __init__(self, given):
        self.given = given
        self.seen = set()  # processes of it and below it
        self.jobs = []
        self.process = subprocess.Popen(
            [sys.executable, "-c", KERNEL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, cell):
        self.process.stdin.write(json.dumps(cell) + "\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        if told["job"] is not None and told["job"] not in self.jobs:
            self.jobs.append(told["job"])
        self.look()
        return told

    def open(self, epochs=200, **more):
        found = {"PIPELINE": self.given.pipeline, "DATA": self.given.data, "NAMES": self.given.names}
        said = "\n".join(f"{name} = {value!r}" for name, value in {**found, "EPOCHS": epochs, "MORE": more}.items())
        told = self.run(said + OPEN)
        assert "raised" not in told, told
        return told

    def look(self):
        self.seen |= {self.process.pid, *below(self.process.pid)}

    def kill(self):
        self.look()
        self.process.kill()
        self.process.wait()

    def end(self):
        self.look()
        self.process.stdin.close()
        assert self.process.wait(90) == 0

    def left(self):
        return [pid for pid in self.seen if os.path.exists(f"/proc/{pid}")]


def below(pid):
    """All processes that it has started, and these."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        lists = [open(f"/proc/{pid}/task/{thread}/children").read().split() for thread in threads]
    except OSError:
        return []
    children = [int(child) for child in itertools.chain(*lists)]
    return children + [one for child in children for one in below(child)]


def run_again(kernel):
    """A cell that opens a feed is run twice more while its loop has not ended."""
    first = kernel.open()["java"]
    assert kernel.open()["java"] == kernel.open()["java"] == first
    kernel.end()


def java_is_killed(kernel):
    java = kernel.open()["java"]
    told = kernel.run(f"os.kill({java}, signal.SIGKILL)\n" + GO_ON)
    assert told["raised"] == "Unreachable" and "killed by signal 9" in told["line"] and "\n" not in told["line"]
    assert told["notes"] and told["seconds"] < 30
    # the arrays that came are as they were, and the next feed has another process
    assert "raised" not in kernel.run("assert (kept == kept[:, :1, :1]).all()")
    assert kernel.open()["java"] != java
    kernel.end()


def trainer_is_killed(kernel):
    kernel.open()
    kernel.kill()


def worker_is_killed(kernel):
    """One on this host: another one comes in its place, and every element once."""
    java = kernel.open(epochs=2, max_local=1, max_remote=0)["java"]
    (worker,) = below(java)
    os.kill(worker, signal.SIGKILL)
    told = kernel.run("first = kept.shape[0]\n" + GO_ON + "said['came'] += first\nsaid['missing'] = feed.result().missing")
    assert "raised" not in told, told
    assert (told["came"], told["missing"]) == (2 * len(kernel.given.rows), 0)
    kernel.end()


@pytest.mark.parametrize("again", ["its feed", "its program"])
def test_a_job_goes_on_at_once_when_its_java_process_was_killed(given, again):
    """Its program sees that it is dead, and so does one that is started again: nobody waits until it can train on nothing."""
    first = kernel = Kernel(given)
    try:
        job = f"killed-{os.getpid()}-{again.split()[1]}"
        java = kernel.open(epochs=2, job=job)["java"]
        os.kill(java, signal.SIGKILL)
        assert kernel.run("took = 16\nfor batch in feed:\n    took += batch.size")["raised"] == "Unreachable"
        took = kernel.run("said = {'took': took}")["took"]
        if again == "its program":
            kernel.kill()
            kernel = Kernel(given)
        kernel.open(epochs=2, job=job)
        told = kernel.run(GO_ON + "said |= {'twice': feed.result().possibly_twice, 'why': str(feed.explain())}")
        assert "raised" not in told, told
        kernel.end()
        # with 16 of the batch that it took to begin with
        assert 0 <= took + 16 + told["came"] - 2 * len(given.rows) <= told["twice"]
        assert "are given again, since it is known to be dead" in told["why"], told["why"]
        given.await_state(job, "COMPLETED")
    finally:
        first.kill()
        kernel.kill()


def test_a_cluster_that_is_not_there_is_told_within_seconds(given):
    # a wrong port, and a name that nobody has: each has its seconds of patience, which both wait for at a time
    with concurrent.futures.ThreadPoolExecutor() as threads:
        list(threads.map(lambda kafka: is_told_of(kafka, given), ["127.0.0.1:1", "nobody.invalid:9092"]))


def is_told_of(kafka, given):
    began = time.monotonic()
    with pytest.raises(praline.Unreachable, match=f"Kafka at {kafka} cannot be reached") as told:
        praline.feed(given.pipeline, given.data, bootstrap=kafka, registry="http://127.0.0.1:1")
    assert time.monotonic() - began < 40  # of 10 s of patience, on a machine that does other work too
    assert "PRALINE_URL" in told.value.__notes__[0]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_nothing_is_left_behind(given, number):
    what = [run_again, java_is_killed, trainer_is_killed, worker_is_killed][number % 4]
    kernel = Kernel(given)
    try:
        what(kernel)
    finally:
        kernel.kill()
    # Java is given 20 s to end in order
    until = time.monotonic() + 90
    while kernel.left():
        assert time.monotonic() < until, f"still there: {kernel.left()}"
        time.sleep(0.05)
    for job in kernel.jobs:
        until = time.monotonic() + 90
        while given.state(job) not in ("CANCELLED", "COMPLETED"):
            assert time.monotonic() < until, f"job {job} is {given.state(job)}"
            time.sleep(0.05)
