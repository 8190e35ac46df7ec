"""What stands beside the data, captured or zipped, and is another one each time it is read, or hangs on a place though it looks like chance."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, ident, program
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
def elements_beside_the_next_order_of_a_shuffle():
    pool = order()
    return in_turn(few().map(lambda n: (n, first(pool)))).batch(8)


@program("beside", FEW)
def elements_kept_by_the_next_order_of_a_shuffle():
    pool = order()
    return in_turn(few().filter(lambda n: first(pool) < 50)).batch(8)


@program("beside", FEW)
def elements_beside_the_next_random_number_of_a_seed():
    pool = D.random(seed=4, rerandomize_each_iteration=True)
    return in_turn(few().map(lambda n: (n, first(pool)))).batch(8)


@program("beside", FEW)
def elements_beside_what_a_captured_dataset_counts():
    calls = tf.Variable(0, dtype=tf.int64)
    counted = D.range(3).map(lambda i: calls.assign_add(1))
    return in_turn(few().map(lambda n: (n, counted.reduce(np.int64(0), tf.maximum)))).batch(8)


@program("beside", FEW)
def numbered_elements_beside_the_next_order_of_a_shuffle():
    pool = order()
    return in_turn(few().enumerate().map(lambda i, n: (i, n, first(pool)))).batch(8)


@program("beside", FEW)
def elements_beside_an_order_left_while_it_is_kept():
    pool = order().cache()
    return in_turn(few().map(lambda n: (n, first(pool)))).batch(8)


@program("beside", FEW)
def elements_beside_an_order_that_is_always_the_same():
    pool = order(reshuffle_each_iteration=False)
    return in_turn(few().map(lambda n: (n, first(pool)))).batch(8)


@program("beside", FEW)
def elements_beside_an_order_that_is_kept():
    pool = order().cache()
    return in_turn(few().map(lambda n: (n, pool.batch(100).get_single_element()[0]))).batch(8)


# two tasks that drew the same would have half as many
@program("beside", drawn={1: (0, 99999)}, spread=[1])
def integers_beside_one_of_an_order_without_a_seed():
    pool = D.range(100000).shuffle(1000)
    return D.range(100).map(lambda n: (n, first(pool))).batch(8)


@program("beside", FEW, drawn={1: (0, 4294967295)})
def elements_beside_one_random_number():
    pool = D.random().take(1)
    return few().map(lambda n: (n, pool.get_single_element())).batch(8)


@program("beside", FEW, drawn={1: (0, 999)})
def elements_beside_an_order_without_a_seed_that_is_kept():
    pool = D.range(1000).shuffle(1000).cache()
    return few().map(lambda n: (n, pool.batch(1000).get_single_element()[0])).batch(8)


@program("beside", FEW, drawn={1: (0, 1)})
def elements_beside_a_draw_that_is_kept():
    pool = D.range(1).map(lambda _: tf.random.uniform([])).cache()
    return few().map(lambda n: (n, pool.get_single_element())).batch(8)


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


@program("beside", FEW)
def elements_beside_a_dataset_that_is_kept_in_a_file():
    pool = D.range(5000).map(lambda i: i * 7 % 1000).cache("pool")
    return in_turn(few().map(lambda n: (n, n + tf.reduce_max(pool.batch(5000).get_single_element())))).batch(8)


@program("beside", FEW)
def augmented_views_of_all_by_their_numbers():
    """Each augmentation of each picture, which is read out of a kept dataset by its number."""
    base = few().map(lambda n: tf.cast(n, tf.float32)).cache()
    both = D.range(3).flat_map(lambda a: D.range(20).map(lambda i: (i, a)))

    def view(i, a):
        return base.skip(i).take(1).get_single_element() + tf.random.stateless_uniform([], tf.stack([i, a]) + 42), i

    return both.map(view, num_parallel_calls=AUTO).batch(8)


@program("beside", FEW)
def random_numbers_of_a_seed_beside_a_shuffle_of_a_seed():
    beside = D.zip((few().shuffle(100, seed=6), D.random(seed=6, rerandomize_each_iteration=True)))
    return beside.map(lambda n, a: (n, tf.random.stateless_uniform([2], tf.stack([tf.cast(a, tf.int64), 0])))).batch(8)
