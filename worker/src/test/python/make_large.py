"""Pipelines of pictures with sides of up to 2,000, of which orders round otherwise by their sizes, by what is added to values, or by
what comes behind.

`make_ordering.py` writes them. Pictures are noise where neighbours count, and where a mean of many is taken, noise on a slope,
so that means spread as values do.
"""

import random

import tensorflow as tf

SIDES = [1, 7, 33, 80, 224, 375, 500, 777, 1024]
SMALLER = [(33, 12), (64, 48), (224, 224), (224, 160), (500, 400)]
METHODS = [("bilinear", False)] * 4 + [("area", False)] * 2 + [
    ("bicubic", False), ("bilinear", True), ("lanczos3", True), ("lanczos5", True), ("bicubic", True)]


def pictures(shape, sloping):
    h, w, c = shape

    def element(n):
        places = tf.range(h * w * c, dtype=tf.int64)
        noise = (places * 11 + n * 13 + places * places * (n + 1)) % 256
        if sloping:
            down, across = places // (w * c), places // c % w
            noise = down * 96 // h + across * 96 // w + noise * 63 // 255
        return n, tf.reshape(tf.cast(noise, tf.uint8), shape)

    return element


def affine(dice):
    """What is done to values before they are learned from; some of it adds what is large beside them."""
    mean = tf.constant([123.68, 116.779, 103.939])
    of_one = tf.constant([0.485, 0.456, 0.406])
    deviation = tf.constant([0.229, 0.224, 0.225])
    return dice.choice([
        [lambda x: x - mean], [lambda x: x / 127.5, lambda x: x - 1.0], [lambda x: (x - 127.5) / 127.5],
        [lambda x: x / 255.0, lambda x: (x - of_one) / deviation], [lambda x: x * (1 / 255), lambda x: x + 1000.0],
        [lambda x: x / 255.0 + 1000.0], [lambda x: x + 1000.0], [lambda x: x / 255.0, lambda x: x + 100.0, lambda x: x - 100.0],
        [lambda x: x * 0.01, lambda x: x - 40.0, lambda x: x * 3.0], [lambda x: -x], [],
        [lambda x: x / 255.0, lambda x: x * 2.0 - 1.0]])


def large(seed):
    dice = random.Random(7000 + seed)
    method, antialias = dice.choice(METHODS)
    shape = (dice.choice(SIDES), dice.choice(SIDES), 3)
    size = dice.choice(SMALLER)
    steps = affine(dice)
    resize = lambda x: tf.image.resize(x, size, method=method, antialias=antialias)
    steps.insert(dice.randint(0, len(steps)), resize)
    for flip in dice.sample([tf.image.flip_left_right, tf.image.flip_up_down], dice.choice([0, 1, 1, 2])):
        steps.insert(dice.randint(0, len(steps)), flip)
    sloping = method == "area" or antialias
    dataset = tf.data.Dataset.range(2).map(pictures(shape, sloping), name="keep_position_made")
    dataset = dataset.map(lambda n, x: (n, tf.cast(x, tf.float32)))
    for step in steps:
        dataset = dataset.map(lambda n, x, step=step: (n, step(x)))
    name = method + (" of all" if antialias else "")
    return f"{name} from {shape[0]}x{shape[1]} to {size[0]}x{size[1]}, seed {seed}", dataset.batch(2)


LARGER = [1, 2, 13, 101, 333, 777, 1333, 1999, 2000]
SIZES = [(1, 1), (2, 3), (33, 12), (224, 224), (299, 299), (777, 333)]
MOST_PIXELS = 1_400_000


def legacy(x, size, **how):
    return tf.compat.v1.image.resize_bilinear(x[None], size, **how)[0]


FOLLOWING = {
    "half": [lambda x: tf.cast(x, tf.float16)],
    "far and half": [lambda x: x + 1000.0, lambda x: tf.cast(x, tf.float16)],
    "brain float, scaled": [lambda x: tf.cast(x, tf.bfloat16), lambda x: x / 3.0, lambda x: x - 1.0],
    "clipped to little": [lambda x: tf.clip_by_value(x, 0.1, 0.2)],
    "clipped": [lambda x: tf.clip_by_value(x, 0.0, 1.0)],
    "what is positive": [tf.nn.relu],
    "tanh": [tf.tanh],
    "sigmoid": [tf.sigmoid],
    "mean": [tf.reduce_mean],
    "mean of each channel": [lambda x: tf.reduce_mean(x, [0, 1])],
    "grey": [lambda x: tf.reduce_mean(x, -1)],
    "less its mean": [lambda x: x - tf.reduce_mean(x)],
    "padded": [lambda x: tf.pad(x, [[1, 1], [0, 0], [0, 0]])],
}


def followed(seed):
    """A resize among what is done to values and copies, and something behind it."""
    dice = random.Random(9000 + seed)
    height = dice.choice(LARGER)
    width = dice.choice([side for side in LARGER if side * height <= MOST_PIXELS])
    size = dice.choice(SIZES)
    how = dice.choice(["bilinear"] * 6 + ["legacy", "corners", "area", "bicubic", "nearest", "lanczos3"])
    resize = {
        "legacy": lambda x: legacy(x, size),
        "corners": lambda x: legacy(x, size, align_corners=True),
    }.get(how, lambda x: tf.image.resize(x, size, method=how, antialias=how == "lanczos3"))
    steps = affine(dice)
    steps.insert(dice.randint(0, len(steps)), resize)
    copies = [tf.image.flip_left_right, tf.image.flip_up_down, tf.image.rot90, lambda x: x[:1 + (x.shape[0] or 1) // 2]]
    for copy in dice.sample(copies, dice.choice([0, 0, 1, 2])):
        steps.insert(dice.randint(0, len(steps)), copy)
    follows = dice.choice(list(FOLLOWING))
    dataset = tf.data.Dataset.range(2).map(
        pictures((height, width, 3), how in ("area", "lanczos3")), name="keep_position_made")
    dataset = dataset.map(lambda n, x: (n, tf.cast(x, tf.float32)))
    for step in steps + FOLLOWING[follows]:
        dataset = dataset.map(lambda n, x, step=step: (n, step(x)))
    return f"{how} from {height}x{width} to {size[0]}x{size[1]}, then {follows}, seed {seed}", dataset.batch(2)
