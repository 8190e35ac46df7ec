"""Writes the pipelines that the tests of reordering run on, into `pipelines/ordering`.

    python make_ordering.py OUT             # OUT is the folder `pipelines`, whose data files they read

Each is written as people write it: a step a map, or all steps in one function. `random.gz` holds pipelines of up to ten
random steps, from a seed: serialised graphs, each behind its length, four bytes, little-endian.

Written with TensorFlow 2.18.
"""

import glob
import gzip
import os
import random
import struct
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
NUMBERS = "data/numbers-*.tfrecord"
EXAMPLES = "data/examples-*.tfrecord"
JPEGS = "data/jpegs-*.tfrecord"
FLOWERS = "data/flowers/*/*.jpg"
FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "weight": tf.io.FixedLenFeature([], tf.float32),
}

MADE = {}


def pipeline(make):
    MADE[make.__name__.rstrip("_")] = make
    return make


def records(pattern):
    return tf.data.TFRecordDataset(sorted(glob.glob(pattern)))


# ------------------------------------------------------------------------------------------------ the ResNet of Pecan


def decode(record):
    return tf.io.decode_jpeg(record, channels=3)


def crop(image):
    return tf.cast(tf.image.random_crop(image, [64, 64, 3], seed=2), tf.float32)


def flip(image):
    return tf.image.random_flip_left_right(image, seed=3)


def transformed(image, transforms):
    moved = tf.raw_ops.ImageProjectiveTransformV3(
        images=image[None], transforms=transforms, output_shape=tf.shape(image)[:2], fill_value=0.0,
        interpolation="BILINEAR", fill_mode="REFLECT")
    return tf.ensure_shape(moved[0], [None, None, 3])


def rotate(image):
    angle = tf.random.uniform([], -0.5, 0.5, seed=4)
    c, s, z = tf.cos(angle), tf.sin(angle), 0.0
    return transformed(image, tf.stack([c, -s, z, s, c, z, z, z])[None])


def shear(image):
    return transformed(image, tf.constant([[1.0, 0.2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]))


def resize(image):
    return tf.image.resize(image, [48, 40])


def subtract_mean(image):
    return image - tf.constant([123.68, 116.779, 103.939])


def to_half(image):
    return tf.cast(image, tf.float16)


RESNET = [decode, crop, flip, rotate, shear, resize, subtract_mean, to_half]


@pipeline
def resnet():
    dataset = records(JPEGS)
    for step in RESNET:
        dataset = dataset.map(step, num_parallel_calls=AUTO, name=step.__name__)
    return dataset.batch(16).prefetch(AUTO)


@pipeline
def resnet_one_function():
    def everything(image):
        for step in RESNET:
            image = step(image)
        return image

    return records(JPEGS).map(everything, num_parallel_calls=AUTO, name="everything").batch(16).prefetch(AUTO)


# --------------------------------------------------------------------------------------------- the classic mistake


def middle(image):
    return tf.slice(image, [8, 8, 0], [64, 64, 3])


def normalise(image):
    return (tf.cast(image, tf.float32) - [127.5, 120.0, 110.0]) / [60.0, 61.0, 62.0]


@pipeline
def normalise_before_resize():
    return (records(JPEGS).map(decode, num_parallel_calls=AUTO).map(middle, num_parallel_calls=AUTO)
            .map(normalise, num_parallel_calls=AUTO).map(resize, num_parallel_calls=AUTO).batch(8))


@pipeline
def normalise_before_resize_one_function():
    return records(JPEGS).map(
        lambda record: resize(normalise(middle(decode(record)))), num_parallel_calls=AUTO).batch(8)


# ------------------------------------------------------------------------------------------------- small elements


def sliced(example):
    return tf.io.decode_raw(example["image"], tf.uint8)[4:20], example["label"], example["weight"]


def scaled(image, label, weight):
    return tf.cast(image, tf.float32) * [2.0] * 16 + 1.0, tf.cast(label, tf.int32), weight * tf.constant([1.0, 2.0, 3.0])


@pipeline
def parse_slice_cast():
    return (records(EXAMPLES).map(lambda record: tf.io.parse_single_example(record, FEATURES)).map(sliced)
            .map(scaled).batch(3))


@pipeline
def parse_slice_cast_one_function():
    return records(EXAMPLES).map(
        lambda record: scaled(*sliced(tf.io.parse_single_example(record, FEATURES)))).batch(3, drop_remainder=True)


@pipeline
def decode_raw():
    return records(NUMBERS).map(lambda record: tf.io.decode_raw(record, tf.uint8)).batch(16)


# ------------------------------------------------------------------------------------- what stands in a cut's way


@pipeline
def two_views():
    """One draw decides over image and mask: no cut comes between."""

    def both(record):
        image = tf.cast(decode(record), tf.float32)
        mask = tf.reduce_mean(image, axis=-1, keepdims=True)
        flipped = tf.random.uniform([], seed=5) < 0.5
        image = image / 255.0
        image = tf.cond(flipped, lambda: image[:, ::-1], lambda: image)
        mask = tf.cond(flipped, lambda: mask[:, ::-1], lambda: mask)
        return tf.image.resize(image, [16, 16]), tf.image.resize(mask, [16, 16], method="nearest")

    return records(JPEGS).map(both, num_parallel_calls=2).batch(8)


@pipeline
def checked():
    """Assertions, a loop and captured tensors."""
    table = tf.constant(np.linspace(0, 1, 256, dtype=np.float32))
    factor = tf.constant([1.0, 2.0, 3.0])

    def everything(record):
        image = decode(record)
        tf.debugging.assert_greater(tf.shape(image)[0], 4)
        image = tf.gather(table, tf.cast(image, tf.int32))
        turns = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 0.5), [0, image])[1]
        return tf.image.random_brightness(turns, 0.2, seed=6) * factor

    return records(JPEGS).map(everything).map(lambda image: tf.image.resize(image, [8, 8], method="area")).batch(8)


@pipeline
def flowers_by_name():
    def load(path):
        label = tf.strings.split(path, os.sep)[-2] == "roses"
        image = tf.image.resize(tf.image.convert_image_dtype(decode(tf.io.read_file(path)), tf.float32), [20, 20])
        return image, label

    files = tf.data.Dataset.list_files(FLOWERS, shuffle=False)
    return files.map(load, num_parallel_calls=AUTO).map(lambda image, label: (image * 2.0 - 1.0, label)).batch(4)


@pipeline
def filtered():
    def keep(image, label):
        return label > 1

    return (records(EXAMPLES).map(lambda record: tf.io.parse_single_example(record, FEATURES))
            .map(lambda e: (tf.reshape(tf.io.decode_raw(e["image"], tf.uint8), [4, 4, 3]), e["label"]))
            .map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label))
            .filter(keep, name="keep").shuffle(8, seed=1)
            .map(lambda image, label: (tf.image.flip_up_down(image), label))
            .map(lambda image, label: (image * 2.0, label), name="keep_position_double")
            .map(lambda image, label: (image - 1.0, tf.one_hot(label, 5)))
            .batch(4))


# ------------------------------------------------------------------------------------------------------------ random

SPECIAL = np.array(
    [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, -1e-40, 1.4e-45, 255.0, 255.5, 256.0, -1.0, -0.5, 0.5, 1.0, 1e30, -3e38,
     127.5, 128.0, 0.1, 254.99998, 1e-3, -77.25] + [float(i * 37 % 256) + i / 64 for i in range(105)], np.float32)


def made(shape, dtype):
    """Elements (number, tensor) of one shape, the tensor's values from SPECIAL in an order that differs by element."""
    size = int(np.prod(shape))
    places = np.arange(size, dtype=np.int64)
    values = tf.constant(SPECIAL)

    def element(n):
        at = (places * 7 + n * 31 + places * places * n) % len(SPECIAL)
        if dtype == tf.uint8:
            x = tf.cast((places * 11 + n * 13) % 256, tf.uint8)
        else:
            x = tf.gather(values, at)
        return n, tf.reshape(x, shape)

    return element


def step(dice, shape, dtype):
    """A random step: its name, what it does to a tensor, the shape behind it, the type behind it."""
    h, w, c = shape
    floating = dtype == tf.float32
    pool = ["flip", "flip_up", "crop", "transpose", "resize", "nearest", "random_flip", "brightness_or_cast", "slice"]
    pool += ["random_crop", "reverse_channels", "area"]
    if floating:
        pool += ["affine", "affine", "affine", "clip", "subtract", "to_uint8", "select", "add_vector"]
    else:
        pool += ["to_float", "to_float", "to_float", "invert"]
    if c == 3:
        pool += ["grayscale"]
    if min(h, w) < 2:
        pool = [name for name in pool if name not in ("crop", "random_crop", "slice")]
    name = dice.choice(pool)
    if name == "flip":
        return name, tf.image.flip_left_right, shape, dtype
    if name == "flip_up":
        return name, tf.image.flip_up_down, shape, dtype
    if name == "crop":
        top, left = dice.randrange(h - 1), dice.randrange(w - 1)
        size = (dice.randint(1, h - top), dice.randint(1, w - left))
        return name, lambda x: tf.image.crop_to_bounding_box(x, top, left, *size), (*size, c), dtype
    if name == "slice":
        skip = dice.randrange(1, h)
        return name, lambda x: x[skip:, ::-1], (h - skip, w, c), dtype
    if name == "random_crop":
        size = (dice.randint(1, h), dice.randint(1, w))
        seed = dice.randrange(1, 99)
        return name, lambda x: tf.image.random_crop(x, [*size, c], seed=seed), (*size, c), dtype
    if name == "transpose":
        return name, tf.image.transpose, (w, h, c), dtype
    if name in ("resize", "nearest", "area"):
        method = {"resize": "bilinear"}.get(name, name)
        size = (dice.randint(1, 33), dice.randint(1, 12))
        kept = dtype if name == "nearest" else tf.float32
        return name, lambda x: tf.image.resize(x, size, method=method), (*size, c), kept
    if name == "random_flip":
        seed = dice.randrange(1, 99)
        return name, lambda x: tf.image.random_flip_left_right(x, seed=seed), shape, dtype
    if name == "brightness_or_cast":
        seed = dice.randrange(1, 99)
        if floating:
            return name, lambda x: tf.image.random_brightness(x, 0.3, seed=seed), shape, dtype
        return name, lambda x: tf.image.convert_image_dtype(x, tf.float32), shape, tf.float32
    if name == "reverse_channels":
        return name, lambda x: tf.reverse(x, [-1]), shape, dtype
    if name == "affine":
        a, b = dice.choice([2.0, 0.1, -3.0, 1 / 255.0]), dice.choice([0.5, -127.5, 0.0])
        return name, lambda x: x * a + b, shape, dtype
    if name == "add_vector":
        vector = tf.constant([dice.uniform(-2, 2) for _ in range(c)])
        return name, lambda x: x + vector, shape, dtype
    if name == "subtract":
        a, b = dice.uniform(-3, 3), dice.uniform(1, 9)
        return name, lambda x: (x - a) / b, shape, dtype
    if name == "clip":
        low = dice.choice([0.0, -1.0])
        return name, lambda x: tf.clip_by_value(x, low, 200.0), shape, dtype
    if name == "to_uint8":
        return name, lambda x: tf.cast(tf.clip_by_value(tf.where(tf.math.is_nan(x), 0.0, x), 0.0, 255.0), tf.uint8), \
            shape, tf.uint8
    if name == "select":
        return name, lambda x: tf.where(x > 0.5, x, tf.abs(x)), shape, dtype
    if name == "to_float":
        return name, lambda x: tf.cast(x, tf.float32), shape, tf.float32
    if name == "invert":
        return name, lambda x: 255 - x, shape, dtype
    if name == "grayscale":
        return name, tf.image.rgb_to_grayscale, (h, w, 1), dtype
    raise ValueError(name)


def random_pipeline(seed):
    dice = random.Random(seed)
    shape = (dice.randint(1, 9), dice.randint(1, 33), dice.choice([1, 2, 3, 3, 3, 4]))
    dtype = dice.choice([tf.uint8, tf.float32])
    dataset = tf.data.Dataset.range(dice.randint(3, 20)).map(made(shape, dtype), name="keep_position_made")
    steps, sizes = [], [2, *shape]
    for _ in range(dice.randint(2, 10)):
        name, does, shape, dtype = step(dice, shape, dtype)
        steps.append((name, does))
        sizes += shape
    while steps:
        # some maps are one step, others several
        many = dice.choice([1, 1, 1, 2, 4])
        now, steps = steps[:many], steps[many:]

        def function(n, x, now=now):
            for _, does in now:
                x = does(x)
            return n, x

        parallel = dice.choice([{}, {"num_parallel_calls": 2}, {"num_parallel_calls": AUTO}])
        dataset = dataset.map(function, name="_".join(name for name, _ in now), **parallel)
        if dice.random() < 0.1:
            dataset = dataset.filter(lambda n, x: n % 4 != 2)
    return dataset.batch(dice.choice(sizes), drop_remainder=dice.random() < 0.3)


def main():
    os.chdir(sys.argv[1])
    os.makedirs("ordering", exist_ok=True)
    for name, make in MADE.items():
        with open(f"ordering/{name}.pb", "wb") as out:
            out.write(make()._as_serialized_graph().numpy())
    with open("ordering/random.gz", "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as packed:
        for seed in range(120):
            graph = random_pipeline(seed)._as_serialized_graph().numpy()
            packed.write(struct.pack("<I", len(graph)) + graph)


if __name__ == "__main__":
    main()
