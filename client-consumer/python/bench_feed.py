"""
How fast batches come to numpy, against the Java client on the same pipeline in the same run.

    python bench_feed.py [--runs 3] [--seconds 5]

Needs a cluster (``praline up``) and ``praline`` on the PATH, or the words that start it in PRALINE_COMMAND. Prints an object for each
size of batch: MB/s (10^6 bytes) of each client by turns, their ratio by the medians, and Python's own time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import tempfile

import praline

MIB = 1 << 20

#: bytes of an element, elements of a batch, about MB/s to expect
SHAPES = {
    "38 MiB": (38 * MIB, 1, 1500),
    "1 MiB": (MIB, 1, 1500),
    "1,024 x 1 KiB": (1024, 1024, 400),
}


def pipeline(folder: str, element: int, batch: int, elements: int) -> str:
    path = os.path.join(folder, f"memory-{element}-{batch}.yaml")
    with open(path, "w") as file:
        json.dump({"source": {"memory": {"elements": elements, "bytes": element}}, "steps": [{"batch": {"size": batch}}]}, file)
    return path


def java(path: str) -> float:
    words = [*shlex.split(os.environ.get("PRALINE_COMMAND", "praline")), "run", "--pipeline", path, "--json"]
    lines = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.splitlines()
    return json.loads(lines[-1])["mbPerSecond"]


def python(path: str) -> tuple[float, float, float]:
    """MB/s, Python's seconds of processor a second, its microseconds a batch."""
    with praline.feed(path) as feed:
        before = 0.0
        batches = 0
        for _batch in feed:
            if not batches:
                before = used()
            batches += 1
        spent = used() - before
    result = feed.result()
    return result.bytes / 1e6 / result.seconds, spent / result.seconds, spent / batches * 1e6


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--seconds", type=float, default=5.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, (element, batch, rate) in SHAPES.items():
            elements = int(given.seconds * rate * 1e6 / element / batch) * batch
            path = pipeline(folder, element, batch, elements)
            java_rates, python_rates, cores, microseconds = [], [], [], []
            for _ in range(given.runs):
                java_rates.append(java(path))
                rate_now, core, each = python(path)
                python_rates.append(rate_now)
                cores.append(core)
                microseconds.append(each)
            print(
                json.dumps(
                    {
                        "batches": name,
                        "javaMbPerSecond": [round(value) for value in java_rates],
                        "pythonMbPerSecond": [round(value) for value in python_rates],
                        "ratio": round(statistics.median(python_rates) / statistics.median(java_rates), 3),
                        "pythonCore": round(statistics.median(cores), 3),
                        "pythonMicrosecondsPerBatch": round(statistics.median(microseconds), 1),
                        "load1": os.getloadavg()[0],
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
