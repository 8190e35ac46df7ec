"""Several datasets into one, one into several."""

import glob

import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import interleave_ops

from corpus import AUTO, NUMBERS, TEXTS, ident, ids, program, universe
from corpus.sources import FEW, REVIEWS, few, files, lines, words, words_of_reviews


def opened(file):
    return tf.data.TFRecordDataset(file).map(ident)


@program("ops", FEW)
def flat_map_files():
    return files(FEW).flat_map(opened).batch(8)


@program("ops", TEXTS)
def flat_map_lines():
    return files(TEXTS).flat_map(tf.data.TextLineDataset).batch(8)


@program("ops", FEW)
def flat_map_repeats():
    return few().flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(n % 4)).batch(8)


@program("ops", FEW)
def flat_map_slices():
    return few().flat_map(lambda n: tf.data.Dataset.from_tensor_slices(tf.stack([n, n + 1, n + 2]))).batch(8)


@program("ops", FEW)
def flat_map_ranges():
    return few().flat_map(lambda n: tf.data.Dataset.range(n % 5).map(lambda i: n * 10 + i)).batch(8)


@program("ops", REVIEWS)
def flat_map_words():
    return words_of_reviews().flat_map(tf.data.Dataset.from_tensor_slices).batch(16)


@program("ops", FEW)
def flat_map_twice():
    return few().flat_map(lambda n: tf.data.Dataset.range(n % 3)).flat_map(lambda i: tf.data.Dataset.range(i + 1)).batch(8)


@program("ops", FEW)
def flat_map_behind_shuffle():
    return few().shuffle(30).flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(2)).batch(8)


@program("ops", FEW)
def flat_map_batches_inside():
    return files(FEW).flat_map(lambda f: opened(f).batch(8))


@program("ops", FEW)
def flat_map_enumerated_inside():
    return files(FEW).flat_map(lambda f: opened(f).enumerate()).batch(8)


@program("ops", NUMBERS)
def interleave_files():
    return files(NUMBERS).interleave(opened, cycle_length=2, block_length=3).batch(8)


@program("ops", FEW)
def interleave_default_cycle():
    return files(FEW).interleave(opened).batch(8)


@program("ops", NUMBERS)
def interleave_parallel_files():
    return files(NUMBERS).interleave(opened, cycle_length=4, num_parallel_calls=AUTO).batch(8)


@program("ops", NUMBERS)
def interleave_unordered():
    return files(NUMBERS).interleave(opened, cycle_length=3, num_parallel_calls=3, deterministic=False).batch(8)


@program("ops", FEW)
def interleave_blocks_parallel():
    return files(FEW).interleave(opened, cycle_length=2, block_length=16, num_parallel_calls=2, deterministic=True).batch(8)


@program("ops", NUMBERS)
def interleave_shuffled_inside():
    return files(NUMBERS).shuffle(4).interleave(lambda f: opened(f).shuffle(20), cycle_length=2).batch(8)


@program("ops", FEW)
def interleave_repeated_inside():
    return files(FEW).interleave(lambda f: opened(f).repeat(2), cycle_length=2).batch(8)


@program("ops", NUMBERS)
def interleave_taken_inside():
    return files(NUMBERS).interleave(lambda f: opened(f).take(20), cycle_length=4).batch(8)


@program("ops", FEW)
def interleave_filtered_inside():
    return files(FEW).interleave(lambda f: opened(f).filter(lambda n: n % 4 == 0), cycle_length=4).batch(8)


@program("ops", FEW)
def interleave_with_name():
    return files(FEW).interleave(
        lambda f: opened(f).map(lambda n: (tf.strings.split(f, "/")[-1], n)), cycle_length=2).shuffle(40).batch(8)


@program("ops", FEW)
def interleave_unordered_inside():
    return files(FEW).interleave(lambda f: tf.data.TFRecordDataset(f).map(
        ident, num_parallel_calls=4, deterministic=False), cycle_length=2).batch(8)


@program("ops", FEW)
def interleave_elements():
    return few().interleave(lambda n: tf.data.Dataset.from_tensors(n).repeat(3), cycle_length=5, block_length=2).batch(8)


@program("ops", FEW)
def interleave_elements_parallel():
    return few().interleave(lambda n: tf.data.Dataset.range(n % 4), cycle_length=3, num_parallel_calls=2).batch(8)


@program("ops")
def interleave_shards():
    return tf.data.Dataset.range(4).interleave(
        lambda i: tf.data.Dataset.range(100).shard(4, i), cycle_length=4, num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def interleave_legacy():
    return files(FEW).apply(interleave_ops.parallel_interleave(opened, cycle_length=2)).batch(8)


@program("ops", NUMBERS)
def interleave_legacy_sloppy():
    return files(NUMBERS).apply(tf.data.experimental.parallel_interleave(
        opened, cycle_length=4, block_length=2, sloppy=True, buffer_output_elements=4, prefetch_input_elements=2)).batch(8)


@program("ops", FEW)
def zip_with_itself():
    return tf.data.Dataset.zip((few(), few().map(lambda n: n * n))).batch(8)


@program("ops", NUMBERS)
def zip_with_lines():
    return tf.data.Dataset.zip((ids(), lines())).batch(8)


@program("ops", FEW)
def zip_with_finite_range():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.range(100))).batch(8)


@program("ops", FEW)
def zip_with_shorter_range():
    return tf.data.Dataset.zip(few(), tf.data.Dataset.range(60)).batch(8)


@program("ops", FEW)
def zip_of_dictionary():
    return tf.data.Dataset.zip({"a": few(), "b": few().map(lambda n: -n)}).batch(8)


@program("ops", FEW)
def zip_with_counter():
    return tf.data.Dataset.zip((tf.data.Dataset.counter(start=3), few())).batch(8)


@program("ops", FEW)
def zip_with_repeated_constant():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.from_tensors("label").repeat())).batch(8)


@program("ops", FEW, drawn={1: (0, 4294967296)}, spread=[1])
def zip_with_random():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.random())).batch(8)


@program("ops")
def zip_of_slices():
    return tf.data.Dataset.zip((
        tf.data.Dataset.from_tensor_slices(np.arange(50)), tf.data.Dataset.from_tensor_slices([f"l{n}" for n in range(50)]))).shuffle(20).batch(8)


@program("ops", FEW)
def enumerate_files():
    return few().enumerate().batch(8)


@program("ops", FEW)
def enumerate_from():
    return few().enumerate(start=100).map(lambda i, n: (i * 2, n)).batch(8)


@program("tests", FEW)
def enumerate_looks_up_labels():
    labels = tf.constant([f"label {i}" for i in range(100)])
    return few().enumerate().map(lambda i, n: (n, labels[i])).batch(8)


@program("tests", FEW)
def enumerate_behind_filter():
    return few().filter(lambda n: n % 2 == 0).enumerate().batch(8)


@program("tests", FEW)
def enumerate_then_shuffle():
    return few().enumerate().shuffle(50).batch(8)


@program("tests", FEW, unit="element")
def enumerate_batches():
    return few().batch(10).enumerate()


@program("tests", FEW)
def enumerate_every_third():
    return few().enumerate().filter(lambda i, n: i % 3 == 0).map(lambda i, n: n).batch(8)


@program("ops", FEW)
def enumerate_applied():
    return few().apply(tf.data.experimental.enumerate_dataset(5)).batch(8)


@program("ops", NUMBERS)
def concatenate_files():
    first, *rest = sorted(glob.glob(NUMBERS))
    return tf.data.TFRecordDataset(first).concatenate(tf.data.TFRecordDataset(rest)).map(ident).batch(8)


@program("ops", FEW)
def concatenate_with_itself():
    return few().concatenate(few().map(lambda n: -n)).batch(8)


@program("ops", NUMBERS)
def concatenate_batched():
    return few().batch(8).concatenate(ids().filter(lambda n: n < 20).batch(8))


@program("ops")
def concatenate_ranges():
    return tf.data.Dataset.range(30).concatenate(tf.data.Dataset.range(100, 130)).shuffle(60).batch(8)


@program("tests", FEW)
def concatenate_with_empty():
    return few().take(0).concatenate(few().filter(lambda n: n % 2 == 0)).batch(8)


HALVES = ["data/numbers-00002.tfrecord", "data/numbers-00003.tfrecord"]


def halves():
    return [opened(half) for half in HALVES]


@program("ops", FEW)
def sample_all():
    return tf.data.Dataset.sample_from_datasets(halves()).batch(8)


@program("ops", FEW)
def sample_weighted_seeded():
    return tf.data.Dataset.sample_from_datasets(halves(), weights=[0.75, 0.25], seed=3).batch(8)


@program("ops", FEW, choice=True, count=(1, 100))
def sample_until_one_is_empty():
    return tf.data.Dataset.sample_from_datasets(halves(), weights=[0.5, 0.5], stop_on_empty_dataset=True).batch(8)


@universe("sample_until_one_is_empty")
def sample_until_one_is_empty_of():
    return few().batch(8)


@program("ops", FEW, choice=True)
def sample_of_endless_taken():
    return tf.data.Dataset.sample_from_datasets([half.repeat() for half in halves()], [0.3, 0.7]).take(80).batch(8)


@universe("sample_of_endless_taken")
def sample_of_endless_taken_of():
    return few().batch(8)


@program("ops", FEW)
def sample_weights_of_dataset():
    weights = tf.data.Dataset.from_tensors([0.5, 0.5]).repeat()
    return tf.data.Dataset.sample_from_datasets(halves(), weights=weights, seed=1).batch(8)


@program("ops")
def sample_of_ranges():
    return tf.data.Dataset.sample_from_datasets([tf.data.Dataset.range(40), tf.data.Dataset.range(100, 140)], seed=7).batch(8)


@program("ops", FEW)
def choose_by_turns():
    return tf.data.Dataset.choose_from_datasets(
        halves(), tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=False).batch(8)


@program("ops", FEW)
def choose_until_empty():
    return tf.data.Dataset.choose_from_datasets(halves(), tf.data.Dataset.range(2).repeat()).batch(8)


@program("ops", FEW)
def choose_by_list():
    choices = tf.data.Dataset.from_tensor_slices(np.array([0, 0, 1] * 20, np.int64))
    return tf.data.Dataset.choose_from_datasets(halves(), choices).batch(8)


@program("ops")
def choose_of_ranges():
    return tf.data.experimental.choose_from_datasets(
        [tf.data.Dataset.range(10), tf.data.Dataset.range(20, 30), tf.data.Dataset.range(40, 50)],
        tf.data.Dataset.range(3).repeat(10)).batch(8)


@program("ops", FEW, unit="element")
def scan_running_sum():
    return few().scan(np.int64(0), lambda total, n: (total + n, total + n))


@program("ops", FEW)
def scan_differences():
    return few().scan(np.int64(0), lambda last, n: (n, n - last)).batch(8)


@program("ops")
def scan_of_range():
    return tf.data.Dataset.range(40).scan((np.int64(0), np.int64(1)), lambda ab, n: ((ab[1], (ab[0] + ab[1]) % 1000), ab[0])).batch(8)


@program("ops", FEW)
def unique_remainders():
    return few().map(lambda n: n % 20).unique().batch(8)


@program("ops", TEXTS)
def unique_words():
    return words().unbatch().unique().batch(8)


@program("ops", FEW)
def unique_applied():
    return few().concatenate(few()).apply(tf.data.experimental.unique()).batch(8)


@program("ops", FEW, choice=True, count=(5, 100))
def resampled_classes():
    return few().map(lambda n: (n, tf.cast(n % 4 == 0, tf.int32))).rejection_resample(
        lambda n, label: label, target_dist=[0.5, 0.5], initial_dist=[0.75, 0.25]).map(lambda kind, pair: pair).batch(8)


@universe("resampled_classes")
def resampled_classes_of():
    return few().map(lambda n: (n, tf.cast(n % 4 == 0, tf.int32))).batch(8)


@program("ops", FEW, choice=True, count=(5, 200))
def resampled_without_distribution():
    return few().map(lambda n: tf.cast(n % 3 == 0, tf.int32)).rejection_resample(
        lambda label: label, target_dist=[0.5, 0.5], seed=5).map(lambda kind, label: label).batch(8)


@universe("resampled_without_distribution")
def resampled_without_distribution_of():
    return few().map(lambda n: tf.cast(n % 3 == 0, tf.int32)).batch(8)
