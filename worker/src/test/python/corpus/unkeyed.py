"""What is drawn by ops that do not say that they hang on a state."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few


@program("tests", FEW)
def regions_pooled_by_chance():
    pictures = few().map(lambda n: tf.fill([1, 10, 10, 1], tf.cast(n, tf.float32)))
    return pictures.map(lambda b: tf.nn.fractional_max_pool(b, [1, 1.4, 1.4, 1])[0]).batch(7)


@program("tests", FEW, drawn={1: (0.0, 99.0)}, spread=[1])
def glimpses_beyond_the_edge():
    picture = tf.reshape(tf.range(100.0), [1, 10, 10, 1])

    def seen(n):
        return n, tf.image.extract_glimpse(picture, [3, 3], [[1.0, 1.0]])[0, 2, 2, 0]

    return few().map(seen).batch(7)
