"""Writes the pipelines that the tests of reordering run on, into `pipelines/ordering`.

    python make_ordering.py OUT             # OUT is the folder `pipelines`, whose data files they read

Each is written as people write it: a step a map, or all steps in one function. `random.gz` holds pipelines of up to ten
random steps, from a seed, `ten_steps.gz` pipelines of ten random steps over several components, `near.gz` what looks as if
it could move and must not, or nearly so, `large.gz` what rounds otherwise in large pictures, `followed.gz` that and something
behind it, `batches.gz` one for each op that may stand behind a batch: titles and serialised graphs, each behind its length, four bytes, little-endian.

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

import make_large
import make_near

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
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(image), tf.constant([[[0.0, 0.0, 1.0, 1.0]]]), seed=2, min_object_covered=0.3)
    return tf.cast(tf.ensure_shape(tf.slice(image, begin, size), [None, None, 3]), tf.float32)


def crop_to_64(image):
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
            image = crop_to_64(image) if step is crop else step(image)
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
def cropped_before_resize():
    return (records(JPEGS).map(decode).map(lambda image: tf.image.central_crop(image, 0.5)).map(resize)
            .map(lambda image: image / 255.0).batch(8))


@pipeline
def batches_of_files():
    """Batches that are made of each file, and taken apart again: a map's elements, of a size that the graph tells."""
    files = tf.data.Dataset.list_files(NUMBERS, shuffle=True, seed=3)
    return (files.interleave(lambda name: tf.data.TFRecordDataset(name).batch(4, drop_remainder=True), cycle_length=2)
            .map(lambda records: tf.strings.length(records))
            .map(lambda lengths: tf.cast(lengths, tf.float32) * 0.5).unbatch().batch(6))


@pipeline
def drawn_before_a_filter():
    return (records(NUMBERS).map(lambda record: tf.io.decode_raw(record, tf.uint8)).map(lambda x: (x[0], tf.cast(x, tf.float32)))
            .map(lambda first, x: (first, x + tf.random.normal([100], seed=4))).filter(lambda first, x: first > 0).batch(8))


@pipeline
def shaped_by_what_is_computed():
    return (tf.data.Dataset.range(20).map(lambda n: tf.cast(n, tf.float32) * tf.ones([8]))
            .map(lambda x: tf.reshape(x, tf.concat([[2], [4]], 0)) * 2.0).map(lambda x: x + 1.0).batch(4))


@pipeline
def dear_last_element():
    def count(n):
        return tf.while_loop(lambda i: i < tf.where(n == 2, 50_000, 0), lambda i: (i + 1,), [0])[0]

    return tf.data.Dataset.range(3).map(count).batch(1)


@pipeline
def compiled():
    @tf.function(jit_compile=True)
    def scaled(values):
        values = tf.cast(values, tf.float32)
        return values * 0.3 + 1.7 - values / 7.0

    return records(NUMBERS).map(lambda record: tf.io.decode_raw(record, tf.uint8)).map(scaled).map(lambda x: x[1:]).batch(16)


@pipeline
def decode_raw():
    return records(NUMBERS).map(lambda record: tf.io.decode_raw(record, tf.uint8)).batch(16)


def pictures_and_labels():
    return records(EXAMPLES).map(lambda record: tf.io.parse_single_example(
        record, {key: FEATURES[key] for key in ("image", "label")}))


@pipeline
def raw_pictures():
    """Bytes without a size in the graph, which get one at once; no batch before a shuffle."""
    return (pictures_and_labels().map(lambda e: (tf.reshape(tf.io.decode_raw(e["image"], tf.uint8), [4, 4, 3]), e["label"]))
            .map(lambda image, label: (tf.reshape(tf.cast(image, tf.float32) / 255.0, [48]), label))
            .shuffle(8, seed=1).batch(4))


@pipeline
def sizes_said():
    """Bytes of which only Python says how many they are; no batch before a shuffle."""

    def decode_all(record):
        values = tf.io.decode_raw(record, tf.uint8)
        values.set_shape([16])
        return values

    return records(NUMBERS).map(decode_all).map(lambda x: tf.cast(x, tf.float32) / 255.0).shuffle(8, seed=1).batch(4)


@pipeline
def raw_pictures_of_two():
    """Two pictures have as many bytes as the shape that each is asked for: none has it."""
    return pictures_and_labels().map(
        lambda e: (tf.reshape(tf.io.decode_raw(e["image"], tf.uint8), [2, 4, 4, 3]), e["label"])).batch(4)


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
def read_twice():
    """One draw that two results read, where a third one would leave room to hand it on."""

    def three(n):
        x = tf.cast(n, tf.float32) * 0.5
        drawn = tf.random.uniform([], seed=7)
        return x * drawn, tf.exp(x + drawn), x

    return tf.data.Dataset.range(20).map(three).batch(4)


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
def refusing():
    """Its assertion does not hold for the last element, though nothing is made of it."""

    def everything(n):
        tf.debugging.assert_less(n, tf.constant(19, tf.int64), "too large")
        return tf.cast(n, tf.float32) * 2.0, n

    return tf.data.Dataset.range(20).map(everything).map(lambda x, n: (tf.sqrt(x), n)).batch(4)


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


@pipeline
def drawn_before_children():
    """Tickets are born behind what makes several elements of one: in front of it is drawn by the number of the element."""
    return (records(EXAMPLES).map(lambda record: tf.io.parse_single_example(record, FEATURES))
            .map(lambda e: (tf.reshape(tf.io.decode_raw(e["image"], tf.uint8), [4, 4, 3]), e["label"]))
            .map(lambda image, label: (tf.cast(image, tf.float32) + tf.random.uniform([]), label), name="noise")
            .filter(lambda image, label: label > 1, name="keep")
            .flat_map(lambda image, label: tf.data.Dataset.from_tensor_slices(image))
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


def step(dice, shape, dtype, among=None):
    """A random step, or one of those: its name, what it does to a tensor, the shape behind it, the type behind it."""
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
    if among:
        pool = [name for name in among if name in pool] or ["flip"]
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


# ------------------------------------------------------------------------------------------------------- ten steps


def bits(count, of=0):
    """Numbers that arithmetic stumbles over, among them several that are none."""
    values = SPECIAL.view(np.uint32).copy()
    values[40:43] = 0x7FC12345, 0xFFC54321, 0x7F800001
    return values.view(np.float32)[(np.arange(count) * 7 + of * 31 + np.arange(count) ** 2 * of) % len(values)]


def example(label, values):
    return tf.train.Example(features=tf.train.Features(feature={
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        "values": tf.train.Feature(float_list=tf.train.FloatList(value=values)),
    })).SerializeToString()


def pictures_in_range(shape, dtype):
    """Elements (number, picture) as pictures have them: nothing below 0 or above 255."""
    places = np.arange(int(np.prod(shape)), dtype=np.int64)

    def element(n):
        return n, tf.reshape(tf.cast((places * 11 + n * 13 + places * places * n) % 256, dtype), shape)

    return element


# what steps a pipeline of pictures is made of, where not of all
THEMES = [
    None,
    ["to_float", "affine", "subtract", "resize", "resize", "flip", "add_vector"],
    ["to_float", "affine", "subtract", "area", "slice", "flip"],
    ["to_float", "add_vector", "reverse_channels", "flip", "flip_up", "random_flip"],
    ["to_float", "affine", "clip", "clip", "crop", "slice", "flip", "nearest"],
]
# and what it begins with
BEGINNINGS = [[], ["to_float", "resize"], [], ["to_float", "add_vector", "reverse_channels", "flip"], []]


def vector_step(dice, size, dtype, among=None):
    """As `step` does it, of a vector of numbers."""
    pool = ["reverse", "slice", "random_reverse"]
    if dtype == tf.float32:
        pool += ["affine", "affine", "add_vector", "select", "choose", "compare", "double", "clip", "noise", "exp"]
    else:
        pool += ["low_bits" if dtype.is_integer else "to_float"]
    if among:
        pool = [name for name in pool if name not in ("noise", "random_reverse", "exp", "clip", "double")]
    name = dice.choice(pool)
    if name == "slice" and size < 2:
        name = "reverse"
    if name == "reverse":
        return name, lambda x: x[::-1], size, dtype
    if name == "slice":
        skip = dice.randrange(1, size)
        return name, lambda x: x[skip:], size - skip, dtype
    if name == "random_reverse":
        seed = dice.randrange(1, 99)
        return name, lambda x: tf.cond(
            tf.random.uniform([], seed=seed) < 0.5, lambda: tf.reverse(x, [0]), lambda: x), size, dtype
    if name == "affine":
        a, b = dice.choice([2.0, 0.1, -3.0]), dice.choice([0.5, -127.5, 0.0])
        return name, lambda x: x * a + b, size, dtype
    if name == "add_vector":
        vector = tf.constant([dice.uniform(-2, 2) for _ in range(size)])
        return name, lambda x: x + vector, size, dtype
    if name == "select":
        return name, lambda x: tf.where(x > 0.5, x, 0.0), size, dtype
    if name == "choose":
        vector = tf.constant([dice.uniform(-2, 2) for _ in range(size)])
        return name, lambda x: tf.where(x > 0.5, vector, 0.0), size, dtype
    if name == "compare":
        return name, lambda x: x <= 0.5, size, tf.bool
    if name == "double":
        return name, lambda x: tf.cast(x, tf.float64), size, tf.float64
    if name == "clip":
        return name, lambda x: tf.clip_by_value(x, 0.0, 200.0), size, dtype
    if name == "noise":
        seed = dice.randrange(1, 99)
        return name, lambda x: x + tf.random.normal([size], seed=seed), size, dtype
    if name == "exp":
        return name, lambda x: tf.exp(-tf.abs(x)), size, dtype
    if name == "low_bits":
        return name, lambda x: tf.cast(x * 7, tf.int16), size, tf.int16
    if name == "to_float":
        return name, lambda x: tf.cast(x, tf.float32), size, tf.float32
    raise ValueError(name)


def on(place, does):
    return lambda *parts: (*parts[:place], does(parts[place]), *parts[place + 1:])


def ten_steps(seed):
    """The title, and a pipeline whose elements are a number and one tensor or more."""
    dice = random.Random(1000 + seed)
    kind = ["pictures", "special", "examples", "raw"][dice.choice([0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3])]
    count, sizes = dice.randint(3, 20), [2]
    number = dice.randrange(len(THEMES))
    theme, begins = THEMES[number], list(BEGINNINGS[number])
    if kind in ("pictures", "special"):
        shape = (dice.randint(1, 9), dice.randint(1, 33), dice.choice([1, 2, 3, 3, 3, 4]))
        dtype = tf.uint8 if theme else dice.choice([tf.uint8, tf.float32])
        makes = made if kind == "special" else pictures_in_range
        dataset = tf.data.Dataset.range(count).map(makes(shape, dtype), name="keep_position_made")
        parts = [shape]
        sizes += shape
    elif kind == "examples":
        size, dtype = dice.randint(1, 33), tf.float32
        features = {"label": tf.io.FixedLenFeature([], tf.int64), "values": tf.io.FixedLenFeature([size], tf.float32)}
        dataset = tf.data.Dataset.from_tensor_slices([example(i, bits(size, i)) for i in range(count)])
        dataset = dataset.map(lambda record: tf.io.parse_single_example(record, features), name="parse")
        dataset = dataset.map(lambda fields: (fields["label"], fields["values"]))
        parts = [size]
        sizes.append(size)
    else:
        size = dice.randint(1, 33)
        records = tf.data.Dataset.from_tensor_slices([bits(size, i).tobytes() for i in range(count)])
        sized = dice.random() < 0.7

        def decoded(record):
            values = tf.io.decode_raw(record, tf.float32)
            return tf.reshape(values, [size]) if sized else values

        dataset = records.map(decoded, name="decode_raw")
        for i in range(9):
            a, b = dice.choice([2.0, 0.1, -3.0]), dice.choice([0.5, -127.5, 0.0])
            exact = [lambda x: x * a, lambda x: x + b, tf.abs, lambda x: x / 3.0, tf.sqrt, lambda x: tf.where(x > b, x, a)]
            does = dice.choice(exact if theme else [*exact, tf.exp, lambda x: tf.maximum(x, b)])
            dataset = dataset.map(does, **parallel(dice))
        return kind, dataset.batch(dice.choice([2, 3, size]), drop_remainder=dice.random() < 0.3)
    dtypes, steps = [dtype], []
    while len(steps) < 10:
        chance = dice.random()
        if chance < 0.12:
            steps.append(("number", on(0, dice.choice([lambda n: n * 3, lambda n: n + 1, lambda n: n - 7]))))
        elif chance < 0.28 and kind == "examples" and len(parts) == 1 and parts[0] > 2:
            cut = dice.randrange(1, parts[0] - 1)
            steps.append(("halves", lambda n, x, cut=cut: (n, x[:-cut], x[cut:])))
            parts, dtypes = [parts[0] - cut] * 2, dtypes * 2
        elif chance < 0.32 and not (theme and kind == "examples"):
            rest = dice.randint(2, 4)
            steps.append(("filter", lambda *all, rest=rest: all[0] % rest != 1))
        else:
            place = dice.randrange(len(parts))
            make = vector_step if kind == "examples" else step
            among = [begins.pop(0)] if begins and kind != "examples" else theme
            name, does, parts[place], dtypes[place] = make(dice, parts[place], dtypes[place], among)
            steps.append((name, on(place + 1, does)))
            sizes += [parts[place]] if kind == "examples" else parts[place]
    while steps:
        many = dice.choice([1, 1, 1, 2, 4])
        if steps[0][0] == "filter":
            dataset = dataset.filter(steps.pop(0)[1])
            continue
        now = [steps.pop(0)]
        while steps and len(now) < many and steps[0][0] != "filter":
            now.append(steps.pop(0))

        def function(*all, now=now):
            for _, does in now:
                all = does(*all)
            return all

        dataset = dataset.map(function, name="_".join(name for name, _ in now), **parallel(dice))
    return kind, dataset.batch(dice.choice(sizes), drop_remainder=dice.random() < 0.3)


def parallel(dice):
    return dice.choice([{}, {"num_parallel_calls": 2}, {"num_parallel_calls": AUTO}])


# -------------------------------------------------------------------------------------------------- ops on batches

# batches as large as each dimension, where operands could meet them
GIVEN = [((5, 7, 3), tf.float32, 5), ((5, 7, 3), tf.uint8, 7), ((5, 7, 3), tf.float32, 3), ((3, 3, 3), tf.float32, 3),
         ((2, 33, 1), tf.uint8, 4)]


def pictures(image):
    """What picture ops make of a picture, by names."""
    shift = tf.constant([[1.0, 0.1, 0.5, 0.0, 1.0, -1.0, 0.0, 0.0]])
    rows = image[None]
    return {
        "bilinear": lambda: tf.image.resize(image, [4, 9]),
        "nearest": lambda: tf.image.resize(image, [4, 9], method="nearest"),
        "area": lambda: tf.image.resize(image, [4, 9], method="area"),
        "bicubic": lambda: tf.image.resize(image, [4, 9], method="bicubic"),
        "lanczos": lambda: tf.image.resize(image, [4, 9], method="lanczos3", antialias=True),
        "transform": lambda: tf.raw_ops.ImageProjectiveTransformV3(
            images=rows, transforms=shift, output_shape=[4, 6], fill_value=0.0, interpolation="BILINEAR")[0],
        "flip": lambda: tf.image.flip_left_right(image),
        "turn": lambda: tf.image.rot90(image, 1),
        "crop": lambda: tf.image.central_crop(image, 0.5),
        "padded": lambda: tf.image.pad_to_bounding_box(image, 1, 2, 9, 40),
        "contrast": lambda: tf.image.adjust_contrast(image, 0.5),
    }


def tensors(x):
    """What ops make of a tensor of three dimensions, by names."""
    h, w, c = x.shape
    scalar, vector, whole = x[0, 0, 0], x[0, :, 0], tf.cast(x, tf.int32)
    matrix = tf.constant(np.arange(w * c).reshape(w, c), x.dtype)
    return {
        "add_vector": lambda: x + tf.constant(np.arange(c), x.dtype),
        "add_matrix": lambda: x + matrix,
        "add_column": lambda: x * tf.constant(np.arange(h).reshape(h, 1, 1), x.dtype),
        "scalar_and_vector": lambda: scalar + tf.constant([1, 2, 3], x.dtype),
        "vector_and_scalar": lambda: tf.constant([1, 2, 3], x.dtype) * scalar,
        "scalar_and_tensor": lambda: scalar * x,
        "vector_and_tensor": lambda: vector[:, None] + x,
        "last_row_and_tensor": lambda: x - x[0, 0],
        "vector_and_matrix": lambda: vector[:, None] - matrix,
        "row_and_column": lambda: vector + tf.constant(np.arange(4).reshape(4, 1), x.dtype),
        "where_scalar": lambda: tf.where(scalar > 5, x, x + x),
        "where_vector": lambda: tf.where(x[0, 0] > 5, x, tf.zeros_like(x)),
        "where_constant": lambda: tf.where(x > 5, x, tf.constant(1, x.dtype)),
        "select": lambda: tf.raw_ops.Select(condition=x > 5, x=x, y=x + x),
        "compared": lambda: tf.logical_and(x > 5, tf.equal(x, x)),
        "cast": lambda: tf.cast(x, tf.float64),
        # of integers the low bits are kept, which must be the same ones in one value and in many
        "cast_low_bits": lambda: tf.cast(tf.cast(x, tf.int64) * 0x123456789abcd, tf.int32),
        "cast_low_byte": lambda: tf.cast(tf.cast(x, tf.int64) * -0x123456789abcd, tf.uint8),
        "slice": lambda: tf.slice(x, [1, 0, 0], [-1, 2, 1]),
        "strided": lambda: x[1:, ::-1],
        "strided_from_the_end": lambda: x[-1, :-1],
        "strided_with_dots": lambda: x[..., 0],
        "strided_behind_dots": lambda: x[..., None, -1:],
        "strided_with_axes": lambda: x[None, :, None, 0],
        "reversed": lambda: tf.reverse(x, [0, -1]),
        "transposed": lambda: tf.transpose(x, [2, 0, 1]),
        "expanded": lambda: tf.expand_dims(x, 1),
        "expanded_in_front": lambda: tf.expand_dims(x, 0) + tf.constant(1, x.dtype),
        "expanded_at_the_end": lambda: tf.expand_dims(x, -1),
        "squeezed": lambda: tf.squeeze(x[:1, :, :1]),
        "squeezed_by_axis": lambda: tf.squeeze(x[:1, :, :1], [0]),
        "squeezed_from_the_end": lambda: tf.squeeze(x[:1, :, :1], [-1]),
        "reshaped": lambda: tf.reshape(x, [-1, c]),
        "reshaped_flat": lambda: tf.reshape(x, [h * w * c]),
        "summed": lambda: tf.reduce_sum(whole, [0, -1]),
        "largest": lambda: tf.reduce_max(whole),
        "smallest_kept": lambda: tf.reduce_min(whole, 1, keepdims=True),
        "any": lambda: tf.reduce_any(x > 5, -1),
        "argmax": lambda: tf.argmax(whole, 1),
        "argmin_of_the_last": lambda: tf.argmin(whole, -1),
        "stacked": lambda: tf.stack([x, x + x], 1),
        "stacked_at_the_end": lambda: tf.stack([x, x + x], -1),
        "concatenated": lambda: tf.concat([x, x], 0),
        "concatenated_at_the_end": lambda: tf.concat([x, x + x], -1),
        "unstacked": lambda: tf.unstack(x, axis=1)[0],
        "split": lambda: tf.split(x, w, 1)[-1],
        "split_by_sizes": lambda: tf.split(x, [1, w - 1], 1)[1],
        "tiled": lambda: tf.tile(x, [1, 2, 3]),
        "padded": lambda: tf.pad(x, [[1, 0], [0, 2], [1, 1]]),
        "padded_by_value": lambda: tf.pad(x, [[1, 0], [0, 2], [1, 1]], constant_values=7),
        "mirrored": lambda: tf.pad(x, [[1, 0], [0, 1], [0, 0]], "SYMMETRIC"),
        "gathered": lambda: tf.gather(x, [0, 1, 0], axis=0),
        "gathered_at_the_end": lambda: tf.gather(x, [0, 0], axis=-1),
        "looked_up": lambda: tf.gather(tf.constant(np.arange(600).reshape(300, 2)), whole % 300),
        "one_hot": lambda: tf.one_hot(whole % 5, 5),
        "one_hot_in_front": lambda: tf.one_hot(whole % 5, 5, axis=0),
        "shape": lambda: x + tf.cast(tf.shape(x)[0] + tf.rank(x), x.dtype),
        "negated": lambda: -tf.abs(tf.cast(x, tf.float32)),
        "bits": lambda: tf.bitcast(tf.cast(x, tf.int32), tf.uint8),
    }


def texts(n):
    """What ops make of a text, by names."""
    text = tf.strings.as_string(n)
    return {
        "length": lambda: tf.strings.length(text),
        "part": lambda: tf.strings.substr(text, 0, 1),
        "replaced": lambda: tf.strings.regex_replace(text, "1", "one"),
        "number": lambda: tf.strings.to_number(text, tf.int64),
        "hashed": lambda: tf.strings.to_hash_bucket_fast(text, 7),
        "raw": lambda: tf.io.decode_raw(tf.strings.substr(text + "abcd", 0, 4), tf.int16),
    }


def batches():
    """A pipeline for each op, under its name: what it is given is one map, the op another one."""
    for shape, dtype, size in GIVEN:
        given = tf.data.Dataset.range(7).map(made(shape, dtype), name="keep_position_made")
        for makes in (pictures, tensors):
            for name in makes(tf.zeros(shape, dtype)):
                does = lambda n, x, makes=makes, name=name: (n, makes(x)[name]())
                title = f"{makes.__name__}_{name} of {dtype.name} {shape} in {size}"
                yield title, given.map(does, name=name).batch(size)
    for name in texts(tf.constant(1)):
        yield f"texts_{name}", tf.data.Dataset.range(7).map(lambda n: (n, texts(n)[name]()), name=name).batch(3)


def write(name, datasets):
    with open(f"ordering/{name}.gz", "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as packed:
        for title, dataset in datasets:
            graph = dataset._as_serialized_graph().numpy()
            title = title.encode()
            packed.write(struct.pack("<I", len(title)) + title + struct.pack("<I", len(graph)) + graph)


def main():
    os.chdir(sys.argv[1])
    os.makedirs("ordering", exist_ok=True)
    for name, make in MADE.items():
        with open(f"ordering/{name}.pb", "wb") as out:
            out.write(make()._as_serialized_graph().numpy())
    write("random", ((f"seed {seed}", random_pipeline(seed)) for seed in range(120)))
    write("ten_steps", ((f"{made_of} {seed}", each) for seed in range(300) for made_of, each in [ten_steps(seed)]))
    write("near", ((name, make()) for name, make in make_near.PROGRAMS.items()))
    write("large", (make_large.large(seed) for seed in range(120)))
    write("followed", (make_large.followed(seed) for seed in range(120)))
    write("batches", batches())


if __name__ == "__main__":
    main()
