"""
How fast batches come to numpy, against tf.data service on the same graph and data, on the same cores, in the same run.

    python bench_tfdata_service.py [--runs 5] [--seconds 5]

Needs TensorFlow, and a cluster (``praline up --workers 1``); tf.data service gets one dispatcher, one worker and this process as its
client, without compression. Prints an object for each pipeline: elements a second from the first to the last one of each, by turns,
and their ratio by the medians.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

import praline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MIB = 1 << 20
FILES = 8
IMAGES = 1024

DISPATCHER = """
import tensorflow as tf
server = tf.data.experimental.service.DispatchServer(tf.data.experimental.service.DispatcherConfig(fault_tolerant_mode=False))
print(server.target, flush=True)
server.join()
"""

WORKER = """
import sys
import tensorflow as tf
config = tf.data.experimental.service.WorkerConfig(dispatcher_address=sys.argv[1].split("://")[1])
server = tf.data.experimental.service.WorkerServer(config)
print("ready", flush=True)
server.join()
"""


def jpegs(folder: str) -> str:
    """Files of pictures of 400 x 300, smooth and of 30 to 40 KB as photographs of that size are; their glob."""
    for file in range(FILES):
        with tf.io.TFRecordWriter(os.path.join(folder, f"images-{file:05d}.tfrecord")) as writer:
            for image in range(IMAGES // FILES):
                corners = tf.random.stateless_uniform([1, 12, 16, 3], (file, image), 0, 255)
                smooth = tf.image.resize(corners, (300, 400), method="bicubic")[0]
                noise = tf.random.stateless_normal([300, 400, 3], (image, file), stddev=12.0)
                writer.write(tf.io.encode_jpeg(tf.cast(tf.clip_by_value(smooth + noise, 0, 255), tf.uint8), quality=80).numpy())
    return os.path.join(folder, "images-*.tfrecord")


def images(data: str) -> Any:
    def decoded(record: Any) -> Any:
        return tf.image.resize(tf.io.decode_jpeg(record, channels=3), (224, 224)) / 255.0

    return tf.data.TFRecordDataset(sorted(glob.glob(data))).map(decoded, num_parallel_calls=tf.data.AUTOTUNE).batch(32)


def mebibytes(count: int) -> Any:
    """The same bytes again and again, which cost nothing to make."""
    value = tf.constant(np.arange(MIB, dtype=np.uint8).reshape(1, MIB))
    return tf.data.Dataset.range(count).map(lambda _: value)


def rate(batches: Iterable[Any]) -> float:
    """Elements a second behind the first batch."""
    began = 0.0
    last = 0.0
    elements = 0
    for batch in batches:
        last = time.perf_counter()
        if began:
            elements += len(batch)
        else:
            began = last
    return elements / (last - began)


def by_praline(dataset: Any, data: str | None, epochs: int) -> float:
    with praline.feed(dataset, data, epochs=epochs, cache="off", order="off", progress=False) as feed:
        return rate(batch[0] for batch in feed)


def by_service(dataset: Any, target: str, epochs: int) -> float:
    served = dataset.repeat(epochs).apply(
        tf.data.experimental.service.distribute(tf.data.experimental.service.ShardingPolicy.DYNAMIC, target, compression=None)
    )
    return rate(served.as_numpy_iterator())


def compared(name: str, runs: int, ours: Callable[[], float], theirs: Callable[[], float]) -> dict[str, Any]:
    mine, others = [], []
    for _ in range(runs):
        others.append(theirs())
        mine.append(ours())
    return {
        "pipeline": name,
        "pralinePerSecond": [round(value) for value in mine],
        "tfdataServicePerSecond": [round(value) for value in others],
        "ratio": round(statistics.median(mine) / statistics.median(others), 3),
        "load1": os.getloadavg()[0],
    }


def started(program: str, *arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A process, and the first line that it writes."""
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit(f"tf.data service did not start: exit {process.wait()}")
    return process, line


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--seconds", type=float, default=5.0)
    given = options.parse_args()
    dispatcher, target = started(DISPATCHER)
    worker, _ = started(WORKER, target)
    try:
        with tempfile.TemporaryDirectory() as folder:
            data = jpegs(folder)
            epochs = max(1, round(given.seconds * 1000 / IMAGES))
            pictures = images(data)
            print(
                json.dumps(
                    compared(
                        "jpeg, float32, batches of 32",
                        given.runs,
                        lambda: by_praline(pictures, data, epochs),
                        lambda: by_service(pictures, target, epochs),
                    )
                ),
                flush=True,
            )
            large = mebibytes(round(given.seconds * 1500))
            print(
                json.dumps(
                    compared(
                        "1 MiB, uint8, one by one",
                        given.runs,
                        lambda: by_praline(large, None, 1),
                        lambda: by_service(large, target, 1),
                    )
                ),
                flush=True,
            )
    finally:
        for process in (worker, dispatcher):
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
