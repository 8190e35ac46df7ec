"""What is drawn in datasets that functions make or are given, and of what a cache keeps that is not read to its end."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset
DRAWN = {1: (0, 1)}


def uniform():
    return tf.random.uniform([])


@program("tests", FEW, drawn=DRAWN, spread=[1])
def sums_of_draws_for_each_group():
    def summed(key, window):
        return D.from_tensors((key, window.reduce(0.0, lambda total, n: total + uniform() / 4)))

    return few().group_by_window(lambda n: n, summed, window_size=4).batch(7)


@program("tests", FEW, drawn={1: (0, 9999)}, spread=[1])
def first_of_an_order_for_each_group():
    def beside(key, window):
        return D.zip((window.take(1), D.range(10000).shuffle(10000).take(1)))

    return few().group_by_window(lambda n: n % 3, beside, window_size=4).batch(7)


@program("tests", FEW, drawn=DRAWN, spread=[1])
def draws_for_elements_of_datasets_that_are_elements():
    both = few().map(lambda n: (n, D.range(2)))
    return both.flat_map(lambda n, inner: inner.map(lambda i: (n * 2 + i, uniform()))).batch(7)


@program("tests", FEW, drawn=DRAWN, spread=[1])
def draws_for_elements_of_a_dataset_that_is_captured():
    five = D.range(5)
    return few().map(lambda n: (n, five.map(lambda i: uniform() / 5).reduce(0.0, lambda total, x: total + x))).batch(7)


@program("tests", FEW, drawn=DRAWN, spread=[1])
def draws_in_a_reduction_in_a_branch():
    def made(n):
        return n, tf.cond(n % 2 == 0, lambda: D.range(4).reduce(0.0, lambda total, i: total + uniform() / 4), uniform)

    return few().map(made).batch(7)


@program("repeated", ordered=True)
def a_shuffle_kept_and_not_read_to_its_end():
    return D.range(100).shuffle(100, seed=3).cache().take(30).repeat(3).batch(8)


@program("repeated", ordered=True)
def a_shuffle_kept_and_read_to_its_end_and_more():
    return D.range(30).shuffle(30, seed=3).cache().take(40).repeat(3).batch(8)


@program("tests", FEW)
def kept_in_files_of_which_a_part_is_read_again():
    return few().snapshot("parts", reader_func=lambda parts: parts.flat_map(lambda part: part.take(10))).batch(8)


@program("tests", FEW, unit="element", mixed=True)
def rows_of_a_batch_for_each_of_two_devices():
    return few().batch(12, drop_remainder=True).map(lambda batch: tf.reshape(batch, [2, 6]))


@program("tests", FEW)
def random_numbers_for_each_by_a_seed_of_its_own():
    return few().flat_map(lambda n: D.random(seed=n).take(2).map(lambda drawn: (n, drawn))).batch(7)
