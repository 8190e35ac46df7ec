"""The small data files that Praline's tests run on: seeded, so the same on every run.

`make_pipelines.py` writes them, since the pictures need TensorFlow's JPEG encoder; `check_pipelines.py` compares what lies there with
what would be written, up to the contents of the pictures. Needs numpy, nothing else.
"""

import gzip
import os
import struct
import zlib
from dataclasses import dataclass

import numpy as np

CRC_TABLE = []
for number in range(256):
    for _ in range(8):
        number = (number >> 1) ^ (0x82F63B78 if number & 1 else 0)
    CRC_TABLE.append(number)


@dataclass(frozen=True)
class Picture:
    """Smooth colours between 3 x 3 corners, so that a JPEG of it is small and every one is different."""

    corners: np.ndarray
    height: int
    width: int


@dataclass(frozen=True)
class Records:
    """A TFRecord file of bytes or pictures; `packing` is none, gzip or zlib."""

    path: str
    records: list
    packing: str = "none"


@dataclass(frozen=True)
class Plain:
    """A file of bytes, or of one picture."""

    path: str
    content: object


def files():
    """All of them. The order matters: each draws from the same random numbers."""
    random = np.random.default_rng(7)
    made = []

    # a record: int64 id (1000 * file + index), float32 x = id / 8, float32 y
    for file, count in enumerate([100, 100, 75, 25]):
        made.append(Records(f"data/numbers-{file:05d}.tfrecord",
                            [number_record(1000 * file + index, random.standard_normal()) for index in range(count)]))

    # the same records, packed
    for packing, suffix in (("gzip", "gz"), ("zlib", "zlib")):
        for file in range(2):
            made.append(Records(f"data/{packing}-{file:05d}.tfrecord.{suffix}",
                                [number_record(1000 * file + index, 1.0) for index in range(50)], packing))

    # Examples: a 4x4x3 image as raw bytes, label, weight, some tokens (1 to 9), a name that one in five lacks
    for file in range(3):
        examples = []
        for index in range(60):
            number = 1000 * file + index
            tokens = random.integers(0, 1000, random.integers(1, 10))
            features = {
                "image": bytes_feature(random.integers(0, 256, 48, dtype=np.uint8).tobytes()),
                "label": int64_feature([number]),
                "weight": float_feature([number / 16]),
                "tokens": int64_feature(tokens),
            }
            if index % 5 != 0:
                features["name"] = bytes_feature(f"example {number}".encode())
            examples.append(example(features))
        made.append(Records(f"data/examples-{file:05d}.tfrecord", examples))

    # raw JPEG bytes, one a record, 72x96 pixels and larger
    for file in range(2):
        made.append(Records(f"data/jpegs-{file:05d}.tfrecord",
                            [picture(random, 72 + index, 96 + 2 * index) for index in range(24)]))
    for kind in ("daisy", "rose", "tulip"):
        for index in range(8):
            made.append(Plain(f"data/flowers/{kind}/{kind}-{index:03d}.jpg", picture(random, 40 + index, 48)))

    words = "the feed of a trainer is a river that must not run dry while anyone drinks from it".split()
    for file in range(2):
        lines = [" ".join([str(1000 * file + index)] + list(random.choice(words, random.integers(0, 14)))) + "\n"
                 for index in range(90)]
        made.append(Plain(f"data/text-{file:05d}.txt", "".join(lines).encode()))

    # header 4, records of 12 (int64 id, float32), footer 2
    for file in range(2):
        records = b"".join(struct.pack("<qf", 1000 * file + index, index / 4) for index in range(64))
        made.append(Plain(f"data/fixed-{file:05d}.bin", b"HEAD" + records + b"\r\n"))
    return made


def number_record(number, y):
    return struct.pack("<qff", number, number / 8, y)


def picture(random, height, width):
    return Picture(random.uniform(0, 255, (1, 3, 3, 3)).astype(np.float32), height, width)


# tf.train.Example by hand: its features in the order of their names, numbers packed


def example(features):
    entries = b"".join(field(1, field(1, name.encode()) + field(2, features[name])) for name in sorted(features))
    return field(1, entries)


def bytes_feature(value):
    return field(1, field(1, value))


def float_feature(values):
    return field(2, field(1, struct.pack(f"<{len(values)}f", *values)))


def int64_feature(values):
    return field(3, field(1, b"".join(varint(int(value)) for value in values)))


def field(number, content):
    """One of wire type 2: bytes with their length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


# TFRecord: length, its checksum, the bytes, their checksum


def masked(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def framed(record):
    length = struct.pack("<Q", len(record))
    return length + struct.pack("<I", masked(length)) + record + struct.pack("<I", masked(record))


def unframed(content):
    records, at = [], 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        record = content[at + 12: at + 12 + length]
        if content[at: at + 16 + length] != framed(record):
            raise ValueError(f"record {len(records)} has a wrong checksum")
        records.append(record)
        at += 16 + length
    return records


def write(encode):
    """Writes all below the working directory; `encode` makes a JPEG of a picture."""
    packed = {"none": lambda content: content, "gzip": lambda content: gzip.compress(content, mtime=0), "zlib": zlib.compress}
    for file in files():
        os.makedirs(os.path.dirname(file.path), exist_ok=True)
        with open(file.path, "wb") as out:
            if isinstance(file, Records):
                records = [encode(one) if isinstance(one, Picture) else one for one in file.records]
                out.write(packed[file.packing](b"".join(framed(record) for record in records)))
            else:
                out.write(encode(file.content) if isinstance(file.content, Picture) else file.content)
