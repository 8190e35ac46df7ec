"""Seeds that a program gives by generators and by variables."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset
NUMBER = dict(shape=[], minval=0, maxval=1000, dtype=tf.int64)


@program("ops", FEW)
def generators_of_one_seed_in_a_map():
    one, other = tf.random.Generator.from_seed(7), tf.random.Generator.from_seed(7)
    return few().map(lambda n: (n, tf.equal(one.uniform(**NUMBER), other.uniform(**NUMBER)))).batch(8)


@program("ops", FEW, drawn={1: (0, 1000), 2: (0, 1000), 3: (0, 1000)}, distinct=[(1, 2), (1, 3), (2, 3)], spread=[1, 2, 3])
def generator_drawn_from_again_and_in_branches():
    generator = tf.random.Generator.from_seed(7)

    def drawn(n):
        first, second = generator.uniform(**NUMBER), generator.uniform(**NUMBER)
        third = tf.cond(n % 2 == 0, lambda: generator.uniform(**NUMBER), lambda: generator.uniform(**NUMBER))
        return n, first, second, third

    return few().map(drawn).batch(8)


@program("ops", FEW, drawn={1: (0, 1000)}, spread=[1])
def generator_within_a_flat_map():
    generator = tf.random.Generator.from_seed(7)
    return few().flat_map(lambda n: D.range(2).map(lambda i: (n * 2 + i, generator.uniform(**NUMBER)))).batch(8)


@program("ops", FEW)
def generator_reset_by_each_element():
    generator = tf.random.Generator.from_seed(1)

    def drawn(n):
        generator.reset_from_seed(n)
        return n, generator.uniform(**NUMBER)

    return few().map(drawn).batch(8)


@program("ops", FEW, drawn={1: (0, 1000)}, spread=[1])
def generator_that_skips():
    generator = tf.random.Generator.from_seed(1)

    def drawn(n):
        generator.skip(2)
        return n, generator.uniform(**NUMBER)

    return few().map(drawn).batch(8)


@program("ops", FEW)
def seeds_that_a_variable_counts():
    seeds = tf.Variable([3, 5], dtype=tf.int64)

    def drawn(n):
        now = tf.identity(seeds)
        seeds.assign(seeds + 1)
        return n, tf.random.stateless_uniform([], now, 0, 1000, tf.int32)

    return few().map(drawn).batch(8)
