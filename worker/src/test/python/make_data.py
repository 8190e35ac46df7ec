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
class PictureExample:
    """An Example that has a picture as `image/encoded` among its features."""

    features: dict
    picture: Picture

    def holding(self, jpeg):
        return example(self.features | {"image/encoded": bytes_feature(jpeg)})


@dataclass(frozen=True)
class Records:
    """A TFRecord file of bytes, pictures or Examples of pictures; `packing` is none, gzip or zlib."""

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
    return made + list(families(random))


def families(random):
    """What the corpus's families of programs read."""
    yield from pictures_of_classes(random)
    yield from pictures_of_objects(random)
    yield from sentences(random)
    yield from tables(random)
    yield from sounds(random)
    yield from clips(random)
    yield from measured(random)


def pictures_of_classes(random):
    # Examples as ImageNet's are written: a label from 1 to 5, no box or several
    for file in range(4):
        examples = []
        for index in range(12):
            number = 12 * file + index
            boxes = number % 3
            corners = np.sort(random.uniform(0.05, 0.95, (boxes, 2, 2)), axis=1)
            examples.append(PictureExample({
                "image/class/label": int64_feature([1 + number % 5]),
                "image/class/text": bytes_feature(f"class {number % 5}".encode()),
                "image/filename": bytes_feature(f"picture-{number:04d}.jpg".encode()),
                "image/object/bbox/ymin": float_feature(corners[:, 0, 0]),
                "image/object/bbox/xmin": float_feature(corners[:, 0, 1]),
                "image/object/bbox/ymax": float_feature(corners[:, 1, 0]),
                "image/object/bbox/xmax": float_feature(corners[:, 1, 1]),
            }, picture(random, 32 + index, 40 + file)))
        yield Records(f"data/imagenet-{file:05d}.tfrecord", examples)

    # records as CIFAR-10's: a byte of label, then 8x8 of red, of green, of blue
    for file in range(3):
        yield Plain(f"data/cifar-{file:05d}.bin", b"".join(
            bytes([(32 * file + index) % 10]) + random.integers(0, 256, 192, dtype=np.uint8).tobytes() for index in range(32)))


def pictures_of_objects(random):
    # Examples as COCO's are written: none to four objects, boxes in fractions, labels from 1 to 8
    for file in range(3):
        examples = []
        for index in range(12):
            number, objects = 12 * file + index, (5 * file + index) % 5
            height, width = 36 + 2 * index, 48 - index
            corners = np.sort(random.uniform(0, 1, (objects, 2, 2)), axis=1)
            examples.append(PictureExample({
                "image/source_id": bytes_feature(str(number).encode()),
                "image/height": int64_feature([height]),
                "image/width": int64_feature([width]),
                "image/object/bbox/ymin": float_feature(corners[:, 0, 0]),
                "image/object/bbox/xmin": float_feature(corners[:, 0, 1]),
                "image/object/bbox/ymax": float_feature(corners[:, 1, 0]),
                "image/object/bbox/xmax": float_feature(corners[:, 1, 1]),
                "image/object/class/label": int64_feature(random.integers(1, 9, objects)),
                "image/object/is_crowd": int64_feature(random.integers(0, 2, objects)),
            }, picture(random, height, width)))
        yield Records(f"data/objects-{file:05d}.tfrecord", examples)


NOUNS = "river feed trainer worker cluster picture batch record queue shuffle".split()
VERBS = "runs waits reads holds gives takes drops sends".split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "and", "of", *NOUNS[:8], *VERBS]


def sentence(random):
    words = ["the", random.choice(NOUNS), random.choice(VERBS)]
    for _ in range(random.integers(0, 4)):
        words += [random.choice(["and", "of"]), "the", random.choice(NOUNS)]
    return " ".join(words)


def sentences(random):
    # Examples as BERT's create_pretraining_data writes them: 16 ids, 3 places to predict
    for file in range(3):
        examples = []
        for _ in range(24):
            length = int(random.integers(6, 17))
            ids = np.zeros(16, dtype=np.int64)
            ids[:length] = [2, *random.integers(5, 24, length - 2), 3]
            places = np.sort(random.choice(np.arange(1, length - 1), 3, replace=False))
            masked = ids.copy()
            masked[places] = 4
            examples.append(example({
                "input_ids": int64_feature(masked),
                "input_mask": int64_feature(ids > 0),
                "segment_ids": int64_feature((np.arange(16) > length // 2) & (ids > 0)),
                "masked_lm_positions": int64_feature(places),
                "masked_lm_ids": int64_feature(ids[places]),
                "masked_lm_weights": float_feature([1.0, 1.0, float(length > 8)]),
                "next_sentence_labels": int64_feature([int(random.integers(0, 2))]),
            }))
        yield Records(f"data/pretraining-{file:05d}.tfrecord", examples)

    # documents: a line a sentence, an empty line between two documents
    for file in range(3):
        documents = ["\n".join(sentence(random) for _ in range(random.integers(2, 6))) for _ in range(10)]
        yield Plain(f"data/documents-{file:05d}.txt", ("\n\n".join(documents) + "\n").encode())
    yield Plain("data/vocabulary.txt", ("\n".join(VOCABULARY) + "\n").encode())

    # pairs of sentences with a label, as GLUE's: a header, columns parted by tabs
    for file in range(2):
        lines = [f"{100 * file + index}\t{sentence(random)}\t{sentence(random)}\t{int(random.integers(0, 2))}" for index in range(30)]
        yield Plain(f"data/pairs-{file:05d}.tsv", ("index\tfirst\tsecond\tlabel\n" + "\n".join(lines) + "\n").encode())

    # reviews in folders by their class
    for kind in ("good", "poor"):
        for index in range(8):
            yield Plain(f"data/reviews/{kind}/{index:03d}.txt", (sentence(random) + f" {kind}\n").encode())


CITIES = ["Berlin", '"Halle, Saale"', "Jena", '"a ""free"" town"', "Ulm"]


def tables(random):
    # people: a header, some fields quoted, some empty
    for file in range(3):
        lines = ["id,age,income,city,married,label"]
        for index in range(40):
            number = 100 * file + index
            age = "" if number % 7 == 3 else int(random.integers(18, 90))
            income = "" if number % 11 == 5 else f"{random.uniform(0, 9000):.2f}"
            lines.append(f"{number},{age},{income},{CITIES[number % 5]},{'yes' if random.integers(0, 2) else 'no'},{number % 4 // 3}")
        yield Plain(f"data/people-{file:05d}.csv", ("\n".join(lines) + "\n").encode())

    # four measures and a class, without a header
    for file in range(2):
        lines = [",".join(f"{one:.2f}" for one in random.uniform(0, 8, 4)) + f",{index % 3}" for index in range(45)]
        yield Plain(f"data/iris-{file:05d}.csv", ("\n".join(lines) + "\n").encode())

    # parted by semicolons, "NA" for what is missing
    for file in range(2):
        lines = ["id;quality;note"] + [
            f"{100 * file + index};{'NA' if index % 6 == 0 else index / 4};{'NA' if index % 5 == 0 else 'n' + str(index)}"
            for index in range(30)]
        yield Plain(f"data/wine-{file:05d}.csv", ("\n".join(lines) + "\n").encode())


def sounds(random):
    # 800 samples at 8,000 a second, a tone each, in folders by their class
    for kind, pitch in (("yes", 300), ("no", 500), ("up", 900)):
        for index in range(6):
            length = 800 - 40 * index
            tone = np.round(8000 * np.sin(2 * np.pi * (pitch + 20 * index) * np.arange(length) / 8000) + 20 * index)
            yield Plain(f"data/speech/{kind}/{index:03d}.wav", wav(tone.astype("<i2").tobytes()))

    # records of 64 samples each, without a header
    for file in range(2):
        yield Plain(f"data/pcm-{file:05d}.raw", random.integers(-9000, 9000, 64 * 40).astype("<i2").tobytes())


def wav(samples):
    rate = 8000
    form = struct.pack("<HHIIHH", 1, 1, rate, 2 * rate, 2, 16)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def clips(random):
    # SequenceExamples: 5 to 14 frames of 8x8 as PNG, a frame's time, a label of the whole
    for file in range(3):
        examples = []
        for index in range(8):
            number, count = 8 * file + index, 5 + (3 * file + 4 * index) % 10
            frames = random.integers(0, 256, (count, 8, 8, 3), dtype=np.uint8)
            frames[:, :, :, 0] = np.arange(count).reshape(count, 1, 1)
            frames[:, 0, 0, 1] = number
            examples.append(sequence_example(
                {"clip/label/index": int64_feature([number % 4]), "clip/media_id": bytes_feature(f"clip {number}".encode())},
                {"image/encoded": [bytes_feature(png(frame)) for frame in frames],
                 "image/timestamp": [int64_feature([40 * place]) for place in range(count)]}))
        yield Records(f"data/clips-{file:05d}.tfrecord", examples)


def png(picture):
    """A PNG without compression, so that it is the same with every zlib."""
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows + struct.pack(">I", zlib.adler32(rows))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", stored), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)) for kind, content in chunks)


def measured(random):
    # a number a line, each file a walk of its own
    for file in range(3):
        walk = 10 * file + np.cumsum(random.integers(-4, 5, 60)) / 4
        yield Plain(f"data/walk-{file:05d}.txt", "".join(f"{one:.2f}\n" for one in walk).encode())

    # hours of weather: a header, three measures
    for file in range(3):
        lines = ["hour,temperature,pressure,humidity"] + [
            f"{48 * file + hour},{random.uniform(-5, 25):.1f},{random.uniform(980, 1030):.1f},{int(random.integers(20, 100))}"
            for hour in range(48)]
        yield Plain(f"data/weather-{file:05d}.csv", ("\n".join(lines) + "\n").encode())


def number_record(number, y):
    return struct.pack("<qff", number, number / 8, y)


def picture(random, height, width):
    return Picture(random.uniform(0, 255, (1, 3, 3, 3)).astype(np.float32), height, width)


# tf.train.Example by hand: its features in the order of their names, numbers packed


def example(features):
    entries = b"".join(field(1, field(1, name.encode()) + field(2, features[name])) for name in sorted(features))
    return field(1, entries)


def sequence_example(context, lists):
    entries = b"".join(
        field(1, field(1, name.encode()) + field(2, b"".join(field(1, one) for one in lists[name]))) for name in sorted(lists))
    return example(context) + field(2, entries)


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
                records = [encoded(one, encode) for one in file.records]
                out.write(packed[file.packing](b"".join(framed(record) for record in records)))
            else:
                out.write(encoded(file.content, encode))


def encoded(content, encode):
    if isinstance(content, PictureExample):
        return content.holding(encode(content.picture))
    return encode(content) if isinstance(content, Picture) else content
