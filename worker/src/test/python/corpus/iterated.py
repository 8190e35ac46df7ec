"""Orders of a seeded shuffle behind a repeat that ends, and what is drawn in front of a cache that a function leaves before its end."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset
NUMBER = (0, 1099511627776)


def number():
    return tf.random.uniform([], 0, 1 << 40, tf.int64)


def chosen():
    return D.range(50).shuffle(50, seed=4).take(6)


# -------------------------------------------------------------------------- a repeat that ends makes one more iterator


@program("iterated", ordered=True)
def chosen_in_passes_of_two_epochs():
    return chosen().repeat(2).map(lambda n: n).repeat(3).batch(6)


@program("iterated", ordered=True)
def chosen_in_passes_of_passes():
    """The orders 0 1 3 4, 7 8 10 11."""
    return chosen().repeat(2).repeat(2).repeat(2).batch(6)


@program("iterated", ordered=True)
def chosen_and_shuffled_again_in_passes():
    """A shuffle makes its input's iterator when it is asked for an element, so that none is made in vain."""
    return chosen().shuffle(6, seed=5).map(lambda n: n + 1).repeat(2).repeat(2).batch(6)


@program("iterated", ordered=True)
def chosen_in_passes_without_fusion():
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return chosen().repeat(1).repeat(2).repeat(2).batch(6).with_options(options)


@program("iterated", ordered=True)
def random_numbers_of_others_in_passes():
    return D.random(seed=3, rerandomize_each_iteration=True).take(3).repeat(2).repeat(2).batch(3)


def told(fuses):
    options = tf.data.Options()
    options.experimental_optimization.shuffle_and_repeat_fusion = fuses
    return options


@program("iterated", ordered=True)
def orders_in_passes_behind_maps_of_the_same():
    return D.range(60).take(50).shuffle(50, seed=4).map(lambda n: n).shard(1, 0).repeat(2).repeat(2).batch(6)


@program("iterated", ordered=True)
def orders_in_passes_with_options_that_are_overruled():
    passes = D.range(60).take(50).shuffle(50, seed=4).repeat(2).with_options(told(False)).repeat(2)
    return passes.batch(6).with_options(told(True))


@program("iterated", ordered=True)
def parts_of_orders_in_passes():
    return D.range(50).shuffle(50, seed=4).repeat(2).skip(20).repeat(2).take(150).batch(6)


@program("iterated", ordered=True)
def parts_of_orders_in_passes_of_one():
    return chosen().repeat(1).repeat(3).take(17).batch(6)


# ------------------------------------------------------------------------------- a cache that is left before its end


def kept(n):
    return D.range(5).map(lambda i: (n * 5 + i, number())).cache()


@program("iterated", FEW, drawn={1: NUMBER}, spread=[1])
def drawn_before_a_cache_that_a_function_leaves():
    return few().flat_map(lambda n: kept(n).take(3).repeat(2)).batch(8)
