"""Order and position: shuffle, repeat, take, skip, shard; caches, options and what else leaves the elements as they are."""

import glob

import numpy as np
import tensorflow as tf

from corpus import AUTO, NUMBERS, TEXTS, ident, ids, program, universe
from corpus.sources import FEW, REVIEWS, few, files, lines


@program("ops", FEW)
def shuffle_small_buffer():
    return few().shuffle(10).batch(8)


@program("ops", NUMBERS)
def shuffle_whole():
    return ids().shuffle(300).batch(8)


@program("ops", FEW)
def shuffle_seeded():
    return few().shuffle(50, seed=42).batch(8)


@program("ops", FEW)
def shuffle_seeded_once():
    return few().shuffle(100, seed=42, reshuffle_each_iteration=False).batch(8)


@program("ops", FEW)
def shuffle_unseeded_once():
    return few().shuffle(100, reshuffle_each_iteration=False).repeat(2).batch(8)


@program("ops", FEW)
def shuffle_by_cardinality():
    return tf.data.Dataset.range(60).shuffle(tf.data.UNKNOWN_CARDINALITY).batch(8)


@program("ops", NUMBERS)
def shuffle_names_then_elements():
    return files(NUMBERS).shuffle(4).flat_map(tf.data.TFRecordDataset).map(ident).shuffle(64).batch(8)


@program("ops", FEW)
def shuffle_batches():
    return few().batch(8).shuffle(5)


@program("tests", FEW)
def shuffle_twice():
    return few().shuffle(20, seed=1).shuffle(20, seed=2).batch(8)


@program("tests", FEW)
def shuffle_repeat_batch():
    return few().shuffle(40).repeat(2).batch(8)


@program("tests", FEW)
def repeat_shuffle_batch():
    return few().repeat(2).shuffle(40).batch(8)


@program("tests", FEW)
def shuffle_batch_repeat():
    return few().shuffle(40, seed=9).batch(8).repeat(2)


@program("tests", FEW)
def batch_shuffle_repeat():
    return few().batch(8).shuffle(4).repeat(2)


@program("tests", FEW)
def shuffle_filter_batch_prefetch():
    return few().shuffle(40).filter(lambda n: n % 3 != 1).batch(8).prefetch(2)


@program("tests", FEW)
def shuffle_unbatch_shuffle():
    return few().batch(10).shuffle(4, seed=1).unbatch().shuffle(20).batch(8)


@program("ops", FEW)
def shuffle_and_repeat_fused():
    return few().apply(tf.data.experimental.shuffle_and_repeat(30, count=2)).batch(8)


@program("ops", FEW)
def shuffle_and_repeat_fused_seeded():
    return few().apply(tf.data.experimental.shuffle_and_repeat(100, count=2, seed=4)).batch(8)


@program("ops", FEW)
def repeat_twice():
    return few().repeat(2).batch(8)


@program("ops", FEW)
def repeat_outside():
    return few().batch(8).repeat(3)


@program("ops", FEW)
def repeat_endless_taken():
    return few().repeat().take(150).batch(8)


@program("ops", FEW)
def repeat_endless_batches_taken():
    return few().batch(10).repeat(-1).take(15)


@program("ops", FEW)
def repeat_names():
    return files(FEW).repeat(2).interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(8)


@program("ops", FEW, choice=True)
def repeat_shuffled_taken():
    return few().shuffle(100).repeat().take(120).batch(8)


@universe("repeat_shuffled_taken")
def repeat_shuffled_taken_of():
    return few().repeat(2).batch(8)


@program("ops", FEW)
def take_first():
    return few().take(30).batch(8)


@program("ops", FEW)
def take_more_than_all():
    return few().take(1000).batch(8)


@program("ops", FEW)
def take_all():
    return few().take(-1).batch(8)


@program("ops", FEW)
def skip_none_of_one_shard():
    return few().skip(0).shard(1, 0).take(-1).batch(8)


@program("ops", FEW)
def take_batches():
    return few().batch(8).take(5)


@program("ops", FEW)
def take_behind_parallel_map():
    return few().map(lambda n: n * 2, num_parallel_calls=AUTO).take(30).batch(8)


@program("tests", FEW, choice=True)
def take_behind_unordered_map():
    options = tf.data.Options()
    options.deterministic = False
    return few().map(lambda n: n * 2, num_parallel_calls=4).take(30).with_options(options).batch(8)


@universe("take_behind_unordered_map")
def take_behind_unordered_map_of():
    return few().map(lambda n: n * 2).batch(8)


@program("tests", NUMBERS, choice=True)
def take_behind_unordered_interleave():
    return files(NUMBERS).interleave(
        tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=4, deterministic=False).map(ident).take(40).batch(8)


@universe("take_behind_unordered_interleave")
def take_behind_unordered_interleave_of():
    return ids().batch(8)


@program("tests", FEW, choice=True)
def take_behind_shuffle():
    return few().shuffle(100).take(30).batch(8)


@universe("take_behind_shuffle")
def take_behind_shuffle_of():
    return few().batch(8)


@program("tests", FEW, choice=True)
def skip_behind_shuffle():
    return few().shuffle(100, seed=2).skip(70).batch(8)


@universe("skip_behind_shuffle")
def skip_behind_shuffle_of():
    return few().batch(8)


@program("tests", FEW, choice=True)
def take_behind_shuffle_cached():
    return few().shuffle(100).take(30).cache().batch(8).repeat(2)


@universe("take_behind_shuffle_cached")
def take_behind_shuffle_cached_of():
    return few().repeat(2).batch(8)


def split_shuffle():
    return few().shuffle(100, seed=42, reshuffle_each_iteration=False)


@program("tests", FEW)
def split_training():
    return split_shuffle().take(80).batch(8)


@program("tests", FEW)
def split_validation():
    return split_shuffle().skip(80).batch(8)


@program("tests", FEW)
def split_training_reshuffled():
    return split_shuffle().take(80).shuffle(80).batch(8).prefetch(AUTO)


@program("tests", FEW)
def split_by_enumerate():
    return few().enumerate().filter(lambda i, n: i % 5 != 0).map(lambda i, n: n).batch(8)


@program("ops", FEW)
def skip_first():
    return few().skip(70).batch(8)


@program("ops", FEW)
def skip_batches():
    return few().batch(8).skip(4)


@program("ops", FEW)
def skip_then_take():
    return few().skip(20).take(50).batch(8)


@program("ops", NUMBERS)
def take_of_names():
    return files(NUMBERS).take(2).flat_map(tf.data.TFRecordDataset).map(ident).batch(8)


@program("ops", NUMBERS)
def skip_of_names():
    return files(NUMBERS).skip(2).interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(8)


@program("ops", FEW)
def shard_of_elements():
    return few().shard(3, 1).batch(8)


@program("ops", NUMBERS)
def shard_of_names():
    return files(NUMBERS).shard(2, 0).interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(8)


@program("ops", FEW)
def take_while_small():
    return few().take_while(lambda n: n < 2050).batch(8)


@program("ops", TEXTS)
def take_while_lines():
    return lines().apply(tf.data.experimental.take_while(lambda line: tf.strings.length(line) < 60)).batch(8)


@program("ops", FEW)
def cache_in_memory():
    return few().cache().batch(8)


@program("ops", FEW)
def cache_then_shuffle_repeated():
    return few().map(lambda n: (n, n % 10), num_parallel_calls=AUTO).cache().shuffle(50).repeat(2).batch(16)


@program("ops", FEW)
def cache_behind_shuffle():
    return few().shuffle(50).cache().repeat(2).batch(8)


@program("ops", FEW)
def cache_in_file():
    return few().map(lambda n: n * 3).cache("cached").shuffle(20).batch(8)


@program("ops", FEW)
def cache_of_batches_in_file():
    return few().batch(8).cache("cached_batches").repeat(2)


@program("ops", FEW, drawn={1: (0, 1)}, spread=[1])
def cache_behind_draw():
    return few().map(lambda n: (n, tf.random.uniform([]))).cache().batch(8)


@program("ops", FEW)
def snapshot_of_map():
    return few().map(lambda n: n * 5).snapshot("snapshot").batch(8)


@program("ops", FEW)
def snapshot_compressed():
    return few().snapshot("snapshot", compression="GZIP").shuffle(30).batch(8)


@program("ops", FEW)
def snapshot_applied():
    return few().apply(tf.data.experimental.snapshot("snapshot_applied", compression=None)).batch(8)


@program("ops", FEW)
def prefetch_one():
    return few().prefetch(1).batch(8)


@program("ops", FEW)
def prefetch_everywhere():
    return few().prefetch(4).map(lambda n: n + 1, num_parallel_calls=AUTO).prefetch(AUTO).batch(8).prefetch(AUTO)


def with_options(dataset, **given):
    options = tf.data.Options()
    for name, value in given.items():
        part, _, attribute = name.rpartition("__")
        setattr(getattr(options, part) if part else options, attribute, value)
    return dataset.with_options(options)


@program("ops", FEW)
def options_unordered():
    return with_options(few().map(lambda n: n + 1, num_parallel_calls=4), deterministic=False).batch(8)


@program("ops", FEW)
def options_deterministic():
    return with_options(few().map(lambda n: n + 1, num_parallel_calls=4, deterministic=None).batch(8), deterministic=True)


@program("ops", FEW)
def options_of_threads():
    return with_options(
        few().map(lambda n: n + 1, num_parallel_calls=2).batch(8), threading__private_threadpool_size=2,
        threading__max_intra_op_parallelism=1)


@program("ops", FEW)
def options_of_autotune():
    return with_options(
        few().map(lambda n: n + 1, num_parallel_calls=AUTO).batch(8), autotune__enabled=True, autotune__cpu_budget=2,
        autotune__ram_budget=1 << 24)


@program("ops", FEW)
def options_of_optimizations():
    return with_options(
        few().map(lambda n: n + 1).map(lambda n: n * 2).filter(lambda n: n % 3 == 0).batch(8),
        experimental_optimization__map_fusion=True, experimental_optimization__map_and_filter_fusion=True,
        experimental_optimization__map_parallelization=True)


@program("ops", FEW)
def options_of_shuffle_fusion():
    return with_options(
        few().shuffle(20).repeat(2).batch(8), experimental_optimization__shuffle_and_repeat_fusion=True,
        experimental_optimization__noop_elimination=True, experimental_optimization__parallel_batch=True)


@program("ops", FEW)
def options_of_slack():
    return with_options(few().batch(8).prefetch(4), experimental_slack=True)


@program("ops", FEW)
def options_of_distribution():
    return with_options(
        few().batch(8), experimental_distribute__auto_shard_policy=tf.data.experimental.AutoShardPolicy.DATA)


@program("ops", FEW)
def options_twice():
    inner = with_options(few(), deterministic=True)
    return with_options(inner.map(lambda n: n, num_parallel_calls=2).batch(8), threading__private_threadpool_size=1)


@program("ops", FEW)
def options_inside_flat_map():
    return files(FEW).flat_map(lambda f: with_options(tf.data.TFRecordDataset(f).map(
        lambda r: tf.strings.length(r), num_parallel_calls=2), deterministic=False)).batch(8)


@program("ops", FEW)
def cardinality_asserted():
    return few().apply(tf.data.experimental.assert_cardinality(100)).batch(8)


@program("ops", FEW)
def cardinality_asserted_behind_filter():
    return few().filter(lambda n: n % 2 == 0).apply(tf.data.experimental.assert_cardinality(51)).batch(8)


@program("ops", FEW)
def errors_ignored():
    def odd(n):
        tf.debugging.assert_equal(n % 2, tf.constant(1, tf.int64))
        return n

    return few().map(odd).ignore_errors().batch(8)


@program("ops", REVIEWS)
def whole_files_of_which_one_is_missing():
    names = ["data/reviews/missing.txt"] + sorted(glob.glob(REVIEWS))
    return tf.data.Dataset.from_tensor_slices(names).map(tf.io.read_file).ignore_errors().batch(4)


@program("ops", FEW)
def errors_ignored_of_a_file_without_records():
    one, other = sorted(glob.glob(FEW))
    return tf.data.TFRecordDataset([one, "data/vocabulary.txt", other]).map(ident).ignore_errors().batch(8)


@program("ops", FEW)
def errors_ignored_without_any():
    return few().apply(tf.data.experimental.ignore_errors()).batch(8)


@program("ops", FEW)
def errors_ignored_of_numbers():
    return few().map(lambda n: tf.strings.to_number(tf.where(n % 5 == 0, "x", tf.strings.as_string(n)), tf.int64)).ignore_errors(
        log_warning=True).batch(8)


@program("ops", FEW)
def applied_function():
    def every_other(dataset):
        return dataset.filter(lambda n: n % 2 == 0).map(lambda n: n // 2)

    return few().apply(every_other).batch(8)


@program("ops", FEW)
def named_steps():
    return few().map(lambda n: n + 1, name="increment").filter(lambda n: n % 2 == 0, name="even").batch(8, name="batch").prefetch(
        1, name="ahead")


@program("tests", NUMBERS, ordered=True)
def order_of_take():
    return ids().map(lambda n: n * 2, num_parallel_calls=AUTO).take(60).batch(8)


@program("tests", FEW, ordered=True)
def order_of_interleaved_take():
    return files(FEW).interleave(tf.data.TFRecordDataset, cycle_length=2, block_length=3).map(ident).take(60).batch(8)


@program("tests", FEW)
def position_behind_filter():
    return few().filter(lambda n: n % 3 == 0).skip(10).take(50).batch(8)


@program("tests", FEW)
def position_behind_flat_map():
    return few().flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(n % 3)).skip(5).take(60).batch(8)


@program("tests", FEW)
def position_between_batches():
    return few().batch(6).take(10).unbatch().skip(3).batch(4)


@program("tests", FEW)
def take_skip_take():
    return few().take(80).skip(10).take(50).skip(5).batch(8)


@program("tests")
def range_shuffled_split():
    return tf.data.Dataset.range(100).shuffle(100, seed=3, reshuffle_each_iteration=False).skip(20).batch(8)


@program("tests")
def slices_shuffled_repeated():
    return tf.data.Dataset.from_tensor_slices((np.arange(60), np.arange(60) % 2)).shuffle(60).repeat(2).batch(8)


@program("tests", FEW)
def reduced_and_repeated():
    return tf.data.Dataset.from_tensors(few().reduce(np.int64(0), lambda a, b: a + b)).repeat(4).batch(2)
