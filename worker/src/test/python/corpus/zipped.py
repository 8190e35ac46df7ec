"""Lists that are written down, of which something is made of each element before they are zipped."""

import glob

import numpy as np
import tensorflow as tf

from corpus import FLOWERS, program

D = tf.data.Dataset
slices = D.from_tensor_slices


def names():
    return sorted(glob.glob(FLOWERS))


def small(name):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(name), channels=3), [4, 4])


@program("tests", FLOWERS)
def pictures_zipped_to_their_labels():
    labels = slices([name.split("/")[-2] for name in names()])
    return D.zip((slices(names()).map(small, num_parallel_calls=2).prefetch(2), labels.map(tf.strings.upper))).batch(5)


@program("tests", FLOWERS)
def pictures_zipped_to_others_and_to_numbers():
    turned = slices(names()[::-1]).map(lambda name: (small(name)[::-1], tf.strings.length(name)))
    pairs = D.zip({"b": slices(names()).map(small), "a": turned})
    return D.zip((pairs, D.range(0, 2 * len(names()), 2).map(lambda n: n + 1))).shuffle(9).batch(5)


@program("tests", unit="element")
def ranges_mapped_and_zipped():
    weights = tf.Variable([0.5, 0.25])
    squares = D.range(60).map(lambda n: (n * n, tf.cast(n, tf.float32) * weights))
    return D.zip((squares, D.range(100, 160).map(tf.strings.as_string))).filter(lambda square, name: square[0] % 3 > 0)


@program("tests", drawn={1: (0, 1), 2: (0, 1)}, distinct=[(1, 2)], spread=[1, 2])
def draws_of_constants_that_are_zipped():
    def drawn(n):
        return tf.random.uniform([])

    numbers = slices(np.arange(40))
    return D.zip((numbers, numbers.map(drawn), numbers.map(drawn))).batch(6)
