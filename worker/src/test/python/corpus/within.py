"""What is drawn in datasets that functions make or are given, and of what a cache keeps that is not read to its end."""

import tensorflow as tf

from corpus import program

D = tf.data.Dataset

@program("repeated", ordered=True)
def a_shuffle_kept_and_not_read_to_its_end():
    return D.range(100).shuffle(100, seed=3).cache().take(30).repeat(3).batch(8)


@program("repeated", ordered=True)
def a_shuffle_kept_and_read_to_its_end_and_more():
    return D.range(30).shuffle(30, seed=3).cache().take(40).repeat(3).batch(8)
