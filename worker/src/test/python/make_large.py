"""Pipelines of pictures with sides of up to 1,024, of which orders round otherwise by their sizes, or by what is added to values.

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
