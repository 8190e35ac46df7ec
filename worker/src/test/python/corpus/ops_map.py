"""map and filter, in every form, and what stands inside their functions."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, EXAMPLES, NUMBERS, TEXTS, examples, ids, parsed, program
from corpus.sources import FEW, REVIEWS, few, lines, records, reviews, words, words_of_reviews


@program("ops", FEW)
def map_square():
    return few().map(lambda n: n * n).batch(8)


@program("ops", FEW)
def map_parsed_record():
    return records().map(parsed).batch(16)


@program("ops", FEW)
def map_parallel_fixed():
    return few().map(lambda n: n + 1, num_parallel_calls=2).batch(8)


@program("ops", FEW)
def map_parallel_auto():
    return few().map(lambda n: (n, n % 7), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def map_parallel_deterministic():
    return few().map(lambda n: n - 1, num_parallel_calls=4, deterministic=True).batch(8)


@program("ops", FEW)
def map_parallel_unordered():
    return few().map(lambda n: n - 1, num_parallel_calls=4, deterministic=False).batch(8)


@program("ops", FEW)
def map_synchronous():
    return few().map(lambda n: n + 2, synchronous=True).batch(8)


@program("ops", FEW)
def map_on_unbounded_threads():
    return few().map(lambda n: n + 3, num_parallel_calls=4, use_unbounded_threadpool=True).batch(8)


# TensorFlow makes no batches of such
@program("ops", FEW)
def map_quantises_to_sixteen_bits():
    def quantised(n):
        return tf.quantization.quantize(tf.cast([n, 1], tf.float32), 0.0, 100.0, tf.quint16).output

    return few().map(lambda n: (n, quantised(n)))


@program("ops", FEW)
def map_behind_batch():
    return few().batch(10).map(lambda n: (n, tf.cast(n, tf.float32) / 10.0), num_parallel_calls=AUTO)


@program("ops", FEW, unit="element")
def map_behind_batch_reduces():
    return few().take(96).batch(12).map(lambda n: (tf.reduce_min(n), tf.reduce_sum(n)))


@program("ops", FEW)
def map_chain_of_four():
    return few().map(lambda n: n + 1).map(lambda n: n * 2).map(lambda n: (n, n % 3)).map(lambda n, m: {"n": n, "m": m}).batch(8)


@program("ops", FEW)
def map_to_nested():
    return few().map(lambda n: ({"a": n, "b": (n, tf.stack([n, n + 1]))}, {"label": n % 2})).batch(8)


@program("ops", FEW)
def map_between_batches():
    return few().batch(4).map(lambda n: n * 3).unbatch().batch(6)


@program("ops", FEW)
def map_unused_input():
    return records().map(parsed).map(lambda n, xy: n).batch(8)


@program("ops", NUMBERS)
def filter_even():
    return ids().filter(lambda n: n % 2 == 0).batch(8)


@program("ops", FEW)
def filter_between_maps():
    return records().map(parsed, num_parallel_calls=AUTO).filter(lambda n, xy: xy[0] > 100.0).map(lambda n, xy: (n, xy * 2.0)).batch(8)


@program("ops", FEW)
def filter_twice():
    return few().filter(lambda n: n % 2 == 0).filter(lambda n: n % 3 == 0).batch(8)


@program("ops", FEW)
def filter_batches():
    return few().batch(1).filter(lambda n: n[0] % 5 != 0)


@program("ops", TEXTS)
def filter_lines_by_length():
    return lines().filter(lambda line: tf.strings.length(line) > 30).batch(8)


@program("ops", TEXTS)
def filter_lines_by_word():
    return lines().filter(lambda line: tf.strings.regex_full_match(line, ".*river.*")).batch(8)


@program("ops", EXAMPLES)
def filter_examples():
    return examples().filter(lambda e: e["label"] % 4 == 1).map(lambda e: (e["label"], e["weight"])).batch(8)


@program("ops", FEW)
def filter_almost_all():
    return few().filter(lambda n: n % 100 == 7).batch(2)


OFFSET = np.arange(5, dtype=np.int64) * 100


@program("ops", FEW)
def captured_constant():
    offsets = tf.constant(OFFSET)
    return few().map(lambda n: n + offsets[n % 5]).batch(8)


@program("ops", FEW)
def captured_table_gathered():
    names = tf.constant(["zero", "one", "two", "three"])
    return few().map(lambda n: (n, tf.gather(names, n % 4)), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def captured_numpy_matrix():
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    return few().map(lambda n: (n, tf.linalg.matvec(matrix, tf.one_hot(n % 4, 4)))).batch(8)


@program("ops", FEW)
def captured_variable_read():
    scale = tf.Variable(3, dtype=tf.int64)
    value = scale.read_value()
    return few().map(lambda n: n * value).batch(8)


@program("ops", FEW)
def captured_variable():
    scale = tf.Variable(5, dtype=tf.int64)
    return few().map(lambda n: n * scale).batch(8)


@program("ops", FEW)
def captured_variables_behind_batch():
    mean, deviation = tf.Variable([2000.0, 1.0]), tf.Variable(50.0)
    return few().batch(10).map(lambda n: (n, (tf.cast(n, tf.float32)[:, None] - mean) / deviation), num_parallel_calls=AUTO)


@program("ops", FEW)
def cond_in_map():
    return few().map(lambda n: (n, tf.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1))).batch(8)


@program("ops", FEW)
def cond_by_autograph():
    def step(n):
        if n % 3 == 0:
            kind = tf.constant("fizz")
        elif n % 5 == 0:
            kind = tf.constant("buzz")
        else:
            kind = tf.strings.as_string(n)
        return n, kind

    return few().map(step, num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def switch_case_in_map():
    return few().map(lambda n: (n, tf.switch_case(
        tf.cast(n % 3, tf.int32), [lambda: n, lambda: n * 10, lambda: -n]))).batch(8)


@program("ops", FEW)
def case_in_map():
    return few().map(lambda n: tf.case([(n < 2020, lambda: 0), (n < 2060, lambda: 1)], default=lambda: 2)).batch(8)


@program("ops", FEW)
def while_in_map():
    def collatz(n):
        return n, tf.while_loop(
            lambda m, steps: m > 1, lambda m, steps: (tf.where(m % 2 == 0, m // 2, 3 * m + 1), steps + 1), (n, 0))[1]

    return few().map(collatz, num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def while_by_autograph():
    def total(n):
        result = tf.constant(0, tf.int64)
        for i in tf.range(n % 6):
            result += i * n
        return n, result

    return few().map(total).batch(8)


@program("ops", FEW)
def map_fn_in_map():
    return few().map(lambda n: (n, tf.map_fn(lambda i: i * i + n, tf.range(3, dtype=tf.int64)))).batch(8)


@program("ops", FEW)
def map_fn_over_batch():
    return few().batch(8).map(lambda n: (n, tf.map_fn(lambda one: one % 9, n)))


@program("ops", FEW)
def vectorized_map_over_batch():
    return few().batch(8).map(lambda n: (n, tf.vectorized_map(lambda one: one * one % 11, n)))


@program("ops", FEW)
def foldl_in_map():
    return few().map(lambda n: (n, tf.foldl(lambda a, b: a * 2 + b, tf.stack([n % 2, n % 3, n % 5])))).batch(8)


@tf.function
def clipped(n, low, high):
    return tf.clip_by_value(n, low, high)


@tf.function
def shifted(n, by):
    return clipped(n + by, 0, 2050)


@program("ops", FEW)
def nested_functions():
    return few().map(lambda n: (shifted(n, 5), shifted(n, -5), clipped(n, 2000, 2010)), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def function_as_map():
    return few().map(tf.function(lambda n: n + 7)).batch(8)


@program("ops", FEW)
def two_maps_of_one_function():
    once = tf.function(lambda n: n * 2 + 1)
    return few().map(once).map(once, num_parallel_calls=2).batch(8)


@program("ops", FEW)
def tensor_array_in_map():
    def powers(n):
        array = tf.TensorArray(tf.int64, size=4)
        for i in range(4):
            array = array.write(i, (n % 10) ** i)
        return n, array.stack()

    return few().map(powers).batch(8)


@program("ops", FEW)
def gradient_in_map():
    def slope(n):
        x = tf.cast(n % 10, tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return n, tape.gradient(y, x)

    return few().map(slope).batch(8)


@program("ops", FEW)
def assert_in_map():
    def checked(n):
        tf.debugging.assert_non_negative(n)
        return tf.ensure_shape(n, [])

    return few().map(checked).batch(8)


@program("ops", REVIEWS)
def table_of_words():
    vocabulary = ["the", "feed", "river", "run", "dry"]
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(vocabulary, tf.range(5, dtype=tf.int64)), num_oov_buckets=2)
    return words_of_reviews().map(lambda w: (w[0], table.lookup(w[-1])), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def table_of_numbers():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        tf.range(2000, 2050, dtype=tf.int64), tf.range(50, dtype=tf.float32) / 2), default_value=-1.0)
    return few().map(lambda n: (n, table.lookup(n))).batch(8)


@program("ops", FEW)
def table_behind_batch():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        tf.range(3, dtype=tf.int64), ["red", "green", "blue"]), "none")
    return few().batch(10).map(lambda n: (n, table.lookup(n % 4)))


@program("ops", FEW)
def table_filters():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        tf.constant([2001, 2003, 3005, 3009], tf.int64), tf.ones([4], tf.int64)), 0)
    return few().filter(lambda n: table.lookup(n) == 1).batch(2)


@program("ops", FEW)
def table_mutable():
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, default_value=-1)
    table.insert(tf.range(2000, 2060, dtype=tf.int64), tf.range(60, dtype=tf.int64))
    return few().map(lambda n: (n, table.lookup(n))).batch(8)


@program("ops", FEW, refused=True)
def table_dense():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, default_value=-1, empty_key=-2, deleted_key=-3)
    table.insert(tf.range(5, dtype=tf.int64), tf.range(5, dtype=tf.int64))
    return few().map(lambda n: (n, table.lookup(n))).batch(8)


@program("ops", TEXTS)
def strings_split_to_numbers():
    return words().map(lambda w: (tf.strings.to_number(w[0], tf.int64), tf.size(w))).batch(8)


@program("ops", REVIEWS)
def strings_of_many_kinds():
    return reviews().map(lambda line: (
        tf.strings.substr(line, 0, 3), tf.strings.regex_replace(line, "[aeiou]", "_"), tf.strings.to_hash_bucket_fast(line, 97),
        tf.strings.length(line))).batch(8)


@program("ops", REVIEWS)
def strings_joined():
    return words_of_reviews().map(lambda w: tf.strings.reduce_join(w[:3], separator="/")).batch(8)


@program("ops", REVIEWS)
def strings_as_bytes():
    return reviews().map(lambda line: tf.io.decode_raw(tf.strings.substr(line + "          ", 0, 6), tf.uint8)).batch(8)


@program("ops", TEXTS, unit="element")
def strings_of_changing_number():
    return words().map(lambda w: tf.strings.unicode_transcode(w, "UTF-8", "UTF-8"))


@program("ops", REVIEWS)
def strings_unicode_points():
    return reviews().map(lambda line: tf.reduce_sum(tf.strings.unicode_decode(line, "UTF-8"))).batch(8)


@program("ops", FEW)
def strings_formatted():
    return few().map(lambda n: tf.strings.format("number {} of file {}", (n % 1000, n // 1000))).batch(8)


@program("ops", FEW)
def types_small():
    return few().map(lambda n: (
        n, tf.cast(n % 100, tf.int8), tf.cast(n % 100, tf.uint16), tf.cast(n, tf.float16), tf.cast(n, tf.bfloat16), n % 2 == 0)).batch(8)


@program("ops", FEW)
def types_wide():
    return few().map(lambda n: (tf.cast(n, tf.uint64), tf.cast(n, tf.float64) / 3, tf.complex(tf.cast(n, tf.float32), 0.5))).batch(8)


@program("ops", FEW)
def empty_component():
    return few().map(lambda n: (n, tf.zeros([0, 3]))).batch(8)


@program("ops", FEW)
def tensors_large():
    return few().take(40).map(lambda n: (n, tf.cast(tf.range(300) % 7, tf.float32) + tf.cast(n, tf.float32))).batch(8)


@program("ops", FEW)
def reduce_inside_map():
    return few().map(lambda n: (n, tf.data.Dataset.range(n % 5).reduce(np.int64(0), lambda a, b: a + b))).batch(8)


@program("ops", FEW)
def single_element_inside_map():
    return few().map(lambda n: tf.data.Dataset.from_tensors(n).batch(1).get_single_element()[0]).batch(8)


@program("ops", FEW)
def single_element_of_batch():
    def squared(n):
        return tf.data.Dataset.from_tensor_slices(n).map(lambda one: one * one).batch(1000).get_single_element()

    return few().batch(10).map(lambda n: (n, squared(n)))
