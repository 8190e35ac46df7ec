"""What stands beside the data, captured or zipped, and is another one each time it is read, or hangs on a place though it looks like chance."""

import numpy as np
import tensorflow as tf

from corpus import ident, program
from corpus.sources import FEW, few, files

D = tf.data.Dataset


def in_turn(dataset):
    """One call after the other, so that Python's order is one."""
    options = tf.data.Options()
    options.experimental_optimization.map_parallelization = False
    options.experimental_optimization.filter_parallelization = False
    return dataset.with_options(options)


def order(**named):
    return D.range(100).shuffle(100, seed=7, **named)


def first(dataset):
    return dataset.take(1).get_single_element()


@program("beside", FEW)
def rows_beside_a_sum_by_reduce():
    def summed(b):
        return b, D.from_tensor_slices(b).reduce(tf.zeros([10, 3], tf.int64), lambda before, row: before + row)

    return few().map(lambda n: tf.stack([n, n * 2, n * 3])).batch(10).map(summed)


@program("beside", FEW)
def elements_beside_a_count_of_random_numbers():
    place = tf.Variable(0, dtype=tf.int64)
    return D.zip((few(), D.random().map(lambda _: place.assign_add(1)))).batch(8)


@program("beside", FEW)
def elements_beside_places_that_random_numbers_open():
    return D.zip((few(), D.random().flat_map(lambda _: D.range(5)))).batch(8)


@program("beside", FEW)
def elements_beside_places_in_slices_of_chance():
    return D.zip((few(), D.random().map(lambda _: tf.range(3)).unbatch())).batch(8)


@program("beside", FEW)
def rows_less_the_least_beside_an_order_that_is_always_the_same():
    pool = D.range(200).shuffle(200, seed=3, reshuffle_each_iteration=False)
    opened = files(FEW).flat_map(lambda name: D.zip((tf.data.TFRecordDataset(name).map(ident), pool)))
    return opened.batch(8).map(lambda n, p: (n - tf.reduce_min(n), p))
