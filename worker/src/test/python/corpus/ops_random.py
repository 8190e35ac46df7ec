"""Draws: every random op that a map can hold, wherever it may stand."""

import tensorflow as tf

from corpus import AUTO, NUMBERS, ident, parsed, program, universe
from corpus.sources import FEW, REVIEWS, few, files, records, words_of_reviews

UNIT = (0, 1)
NORMAL = (-9, 9)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_uniform():
    return few().map(lambda n: (n, tf.random.uniform([2]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_uniform_seeded():
    return few().map(lambda n: (n, tf.random.uniform([2], seed=7)), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW, drawn={1: (3, 9)})
def draw_uniform_integers():
    return few().map(lambda n: (n, tf.random.uniform([3], 3, 10, tf.int32))).batch(8)


@program("ops", FEW, drawn={1: (0, 999)}, spread=[1])
def draw_uniform_long():
    return few().map(lambda n: (n, tf.random.uniform([], maxval=1000, dtype=tf.int64))).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_uniform_wide_and_half():
    return few().map(lambda n: (n, tf.random.uniform([3], dtype=tf.float64), tf.cast(
        tf.random.uniform([3], dtype=tf.float16), tf.float64))).batch(8)


@program("ops", FEW, drawn={1: NORMAL}, spread=[1])
def draw_normal():
    return few().map(lambda n: (n, tf.random.normal([3]))).batch(8)


@program("ops", FEW, drawn={1: (-50, 70)}, spread=[1])
def draw_normal_scaled():
    return records().map(parsed).map(lambda n, xy: (n, tf.random.normal(tf.shape(xy), 10.0, 5.0))).batch(8)


@program("ops", FEW, drawn={1: (-2, 2)}, spread=[1])
def draw_truncated_normal():
    return few().map(lambda n: (n, tf.random.truncated_normal([4]))).batch(8)


@program("ops", FEW, drawn={1: (-1, 1)}, spread=[1])
def draw_truncated_normal_seeded():
    return few().map(lambda n: (n, tf.random.truncated_normal([2], stddev=0.5, seed=3))).batch(8)


@program("ops", FEW, drawn={1: (0, 200)}, spread=[1])
def draw_gamma():
    return few().map(lambda n: (n, tf.random.gamma([2], alpha=[0.5, 3.0]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_beta_of_gammas():
    def beta(n):
        a, b = tf.random.gamma([], 0.4), tf.random.gamma([], 0.4)
        return n, tf.math.divide_no_nan(a, a + b)

    return few().map(beta).batch(8)


@program("ops", FEW, drawn={1: (0, 60)})
def draw_poisson():
    return few().map(lambda n: (n, tf.random.poisson([3], lam=[2.0, 5.0], dtype=tf.int32))).batch(8)


@program("ops", FEW, drawn={1: (0, 60)})
def draw_poisson_of_element():
    return few().map(lambda n: (n, tf.random.poisson([], lam=tf.cast(n % 10, tf.float32)))).batch(8)


@program("ops", FEW, drawn={1: (0, 2)})
def draw_categorical():
    return few().map(lambda n: (n, tf.random.categorical(tf.math.log([[0.2, 0.5, 0.3]]), 5))).batch(8)


@program("ops", FEW, drawn={1: (0, 3)})
def draw_categorical_behind_batch():
    return few().batch(10).map(lambda n: (n, tf.random.categorical(tf.zeros([tf.size(n), 4]), 3)))


@program("ops", FEW, drawn={1: (0, 7)}, spread=[1])
def draw_shuffled():
    return few().map(lambda n: (n, tf.random.shuffle(tf.range(8)))).batch(8)


@program("ops", REVIEWS)
def draw_shuffled_words():
    return words_of_reviews().map(lambda w: (w[0], tf.size(tf.random.shuffle(w)))).batch(8)


@program("ops", FEW, drawn={1: (0, 4095)})
def draw_shuffled_within_batch():
    return few().batch(10).map(lambda n: (n, tf.random.shuffle(n)))


@program("ops", FEW)
def stateless_uniform_of_element():
    return few().map(lambda n: (n, tf.random.stateless_uniform([2], seed=tf.stack([n, 5])))).batch(8)


@program("ops", FEW)
def stateless_normal_of_element():
    return few().map(lambda n: (n, tf.random.stateless_normal([2], seed=tf.stack([n, n + 1]))), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def stateless_of_counter():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.counter())).map(
        lambda n, i: (n, tf.random.stateless_uniform([], [i, 0], 0, 100, tf.int32))).batch(8)


@program("ops", FEW)
def stateless_split_and_folded():
    def two(n):
        first, second = tf.unstack(tf.random.split([1, 2], 2))
        return n, tf.random.stateless_uniform([], tf.random.fold_in(first, n)), tf.random.stateless_normal([], second)

    return few().map(two).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def stateless_of_random_dataset():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.random(seed=5).batch(2))).map(
        lambda n, seed: (n, tf.random.stateless_uniform([], seed))).batch(8)


@program("ops", FEW, drawn={1: (-1, 1)})
def draw_in_cond():
    return few().map(lambda n: (n, tf.cond(n % 2 == 0, lambda: tf.random.uniform([]), lambda: -tf.random.uniform([])))).batch(8)


@program("ops", FEW, drawn={1: NORMAL}, spread=[1])
def draw_in_switch():
    return few().map(lambda n: (n, tf.switch_case(tf.cast(n % 3, tf.int32), [
        lambda: tf.random.uniform([2]), lambda: tf.random.normal([2]), lambda: tf.random.truncated_normal([2])]))).batch(8)


@program("ops", FEW, drawn={1: (0, 5)}, spread=[1])
def draw_in_while():
    return few().map(lambda n: (n, tf.while_loop(
        lambda i, total: i < 5, lambda i, total: (i + 1, total + tf.random.uniform([])), (0, 0.0))[1])).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT, 3: UNIT}, distinct=[(1, 2), (2, 3), (1, 3)], spread=[1, 2, 3])
def draw_in_each_turn_of_while():
    def turns(n):
        array = tf.TensorArray(tf.float32, 3)
        for i in tf.range(3):
            array = array.write(i, tf.random.uniform([]))
        one, two, three = tf.unstack(tf.ensure_shape(array.stack(), [3]))
        return n, one, two, three

    return few().map(turns).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_in_nested_whiles():
    def turns(n):
        sums = tf.TensorArray(tf.float32, 2)
        for i in tf.range(2):
            total = 0.0
            for _ in tf.range(4):
                total += tf.random.uniform([]) / 4
            sums = sums.write(i, total)
        one, two = tf.unstack(tf.ensure_shape(sums.stack(), [2]))
        return n, one, two

    return few().map(turns).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_in_map_fn():
    def drawn(n):
        rows = tf.map_fn(lambda i: tf.random.uniform([2]), tf.range(2), fn_output_signature=tf.float32)
        return n, rows[0], rows[1]

    return few().map(drawn).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_map_fn_over_batch():
    return few().batch(10).map(lambda n: (n, tf.map_fn(lambda one: tf.random.uniform([2]), n, fn_output_signature=tf.float32)))


@tf.function
def noise():
    return tf.random.uniform([4])


@tf.function
def noisy(x):
    return x + noise()


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_by_one_function_twice():
    return few().map(lambda n: (n, noise(), noise())).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_by_nested_function_twice():
    return few().map(lambda n: (n, noisy(0.0), noisy(0.0)), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_by_one_function_in_two_maps():
    return few().map(lambda n: (n, noise())).map(lambda n, first: (n, first, noise())).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)])
def draw_behind_batch_by_one_function():
    return few().batch(10).map(lambda n: (n, noise() + tf.zeros([tf.size(n), 4]), noise() + tf.zeros([tf.size(n), 4])))


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_behind_batch():
    return few().batch(8).map(lambda n: (n, tf.random.uniform([tf.size(n)])), num_parallel_calls=AUTO)


@program("ops", FEW, drawn={1: (1990, 3030)})
def draw_mixed_in_batch():
    def mixed(n):
        weights = tf.random.uniform([tf.size(n)])
        other = tf.random.shuffle(tf.cast(n, tf.float32))
        return n, weights * tf.cast(n, tf.float32) + (1 - weights) * other

    return few().batch(10).map(mixed)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_before_shuffle():
    return few().map(lambda n: (n, tf.random.uniform([]))).shuffle(40).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_behind_shuffle():
    return few().shuffle(40).map(lambda n: (n, tf.random.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_behind_repeat():
    return few().repeat(2).map(lambda n: (n, tf.random.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_before_repeat():
    return few().map(lambda n: (n, tf.random.uniform([]))).repeat(2).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_behind_take():
    return few().take(50).map(lambda n: (n, tf.random.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_behind_flat_map():
    return few().flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(2)).map(lambda n: (n, tf.random.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_inside_flat_map():
    return few().flat_map(lambda n: tf.data.Dataset.range(2).map(lambda i: (n + i, tf.random.uniform([])))).batch(8)


@program("ops", NUMBERS, drawn={1: UNIT}, spread=[1])
def draw_inside_interleave():
    return files(NUMBERS).interleave(lambda f: tf.data.TFRecordDataset(f).map(
        lambda r: (ident(r), tf.random.uniform([], seed=1))), cycle_length=2).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_scan():
    return few().scan(0.0, lambda state, n: (tf.random.uniform([]), (n, state * 0.5 + tf.random.uniform([]) * 0.5))).batch(8)


@program("ops", FEW, choice=True, count=(1, 100))
def draw_in_filter():
    return few().filter(lambda n: tf.random.uniform([]) < 0.5).batch(8)


@universe("draw_in_filter")
def draw_in_filter_of():
    return few().batch(8)


@program("ops", FEW, choice=True, count=(1, 100))
def draw_before_filter():
    return few().map(lambda n: (n, tf.random.uniform([], seed=2))).filter(lambda n, u: u < 0.4).map(lambda n, u: n).batch(8)


@universe("draw_before_filter")
def draw_before_filter_of():
    return few().batch(8)


@program("ops", FEW, choice=True)
def draw_in_filter_taken():
    return few().repeat().filter(lambda n: tf.random.uniform([]) < 0.5).take(40).batch(8)


@universe("draw_in_filter_taken")
def draw_in_filter_taken_of():
    return few().repeat(3).batch(8)


@program("ops", FEW, drawn={1: (0, 2)})
def draw_decides_batch():
    return few().group_by_window(
        lambda n: tf.random.uniform([], 0, 3, tf.int64), lambda key, window: window.map(lambda n: (n, key)).batch(5), window_size=5)


@program("ops", drawn={1: NORMAL}, spread=[1])
def draw_for_range():
    return tf.data.Dataset.range(60).map(lambda n: (n, tf.random.normal([]))).batch(8)


@program("ops", drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_two_for_slices():
    return tf.data.Dataset.from_tensor_slices(list(range(50))).map(
        lambda n: (n, tf.random.uniform([2], seed=5), tf.random.uniform([2], seed=6))).batch(8)


@program("ops", drawn={0: UNIT}, spread=[0])
def draw_repeated():
    return tf.data.Dataset.from_tensors(0).repeat(60).map(lambda _: tf.random.uniform([])).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_by_generator():
    generator = tf.random.Generator.from_seed(1)
    return few().map(lambda n: (n, generator.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: NORMAL, 2: NORMAL}, distinct=[(1, 2)], spread=[1, 2])
def draw_by_generators_split():
    first, second = tf.random.Generator.from_non_deterministic_state().split(2)
    return few().map(lambda n: (n, first.normal([2]), second.normal([2])), num_parallel_calls=2).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draw_zipped_twice():
    drawn = few().map(lambda n: tf.random.uniform([]))
    return tf.data.Dataset.zip((few(), drawn, few().map(lambda n: tf.random.uniform([])))).batch(8)


def agreed(step):
    """Whether what is drawn by one seed before a step and behind it is the same, which it is where both draw once for each element."""

    def drawn():
        return tf.random.uniform([], maxval=1 << 30, dtype=tf.int32, seed=5)

    return step(few().map(lambda n: (n, drawn()))).map(lambda n, before: (n, before == drawn())).batch(8)


@program("ops", FEW)
def one_seed_around_zip():
    return agreed(lambda pairs: tf.data.Dataset.zip((pairs, few())).map(lambda pair, n: pair))


@program("ops", FEW)
def one_seed_around_enumerate():
    return agreed(lambda pairs: pairs.enumerate().map(lambda place, pair: pair))


@program("ops", FEW)
def one_seed_around_take():
    return agreed(lambda pairs: pairs.take(30))


@program("ops", FEW)
def one_seed_around_take_while():
    return agreed(lambda pairs: pairs.take_while(lambda n, before: n < 1 << 40))


@program("ops", FEW)
def one_seed_around_scan():
    return agreed(lambda pairs: pairs.scan(tf.constant(0, tf.int64), lambda sum, pair: (sum + pair[0], pair)))


@program("ops", FEW)
def one_seed_around_cache():
    return agreed(lambda pairs: pairs.cache())


@program("ops", FEW)
def one_seed_around_batch_and_unbatch():
    return agreed(lambda pairs: pairs.batch(7).unbatch())


@program("ops", FEW)
def one_seed_behind_ignored_errors():
    return agreed(lambda pairs: pairs.ignore_errors())
