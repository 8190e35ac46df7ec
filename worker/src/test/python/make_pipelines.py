"""Writes the pipelines and the small data files that Praline's tests run on.

    python make_pipelines.py OUT            # everything: data files, pipelines, refused ones, index.tsv
    python make_pipelines.py OUT --only text_lines,jpeg_training [--into DIR] [--before N]

Every pipeline is a tf.data program as its tutorials write them, serialised by `_as_serialized_graph`. The script works
inside OUT, so the file names in the graphs are relative ones such as `data/numbers-00000.tfrecord`; a test overrides them
by a data glob. `--before N` makes N other datasets first, so that TensorFlow's counters of functions and names stand
elsewhere; a digest must not notice.

Written with TensorFlow 2.21; the directory `tf215` with 2.15. Needs numpy beside it, nothing else.
"""

import argparse
import glob
import os
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import make_data
import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import testing
from tensorflow.python.data.experimental.ops.matching_files import MatchingFilesDataset

AUTO = tf.data.AUTOTUNE
NUMBERS = "data/numbers-*.tfrecord"
EXAMPLES = "data/examples-*.tfrecord"
JPEGS = "data/jpegs-*.tfrecord"
TEXTS = "data/text-*.txt"
FLOWERS = "data/flowers/*/*.jpg"
FIXED = "data/fixed-*.bin"

MADE = {}


def pipeline(data, note, refused=False):
    """Registers a function that gives a dataset; its name is the pipeline's, `data` the glob it reads ('-': none)."""

    def register(make):
        MADE[make.__name__.rstrip("_")] = (make, data, note, refused)
        return make

    return register


def jpeg(picture):
    smooth = tf.image.resize(picture.corners, (picture.height, picture.width), method="bicubic")[0]
    return tf.io.encode_jpeg(tf.cast(tf.clip_by_value(smooth, 0, 255), tf.uint8), quality=80).numpy()


# -------------------------------------------------------------------------------------------------------------- pieces


def numbers():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)))


def ident(record):
    """The id of a record of NUMBERS."""
    return tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0]


def parsed(record):
    """(id, [x, y]) of a record of NUMBERS."""
    return ident(record), tf.io.decode_raw(tf.strings.substr(record, 8, 8), tf.float32)


def ids():
    return numbers().map(ident, name="ident")


# ---------------------------------------------------------------------------------- one for each item of the list


@pipeline(NUMBERS, "map")
def map_():
    return numbers().map(parsed, name="parse")


@pipeline(NUMBERS, "parallel map, deterministic")
def parallel_map():
    return numbers().map(parsed, num_parallel_calls=AUTO, name="parse").batch(8)


@pipeline(NUMBERS, "parallel map that may reorder")
def parallel_map_unordered():
    return numbers().map(parsed, num_parallel_calls=2, deterministic=False).batch(8)


@pipeline(NUMBERS, "filter, order kept")
def filter_():
    return ids().filter(lambda n: n % 3 != 0, name="keep").batch(8)


@pipeline(NUMBERS, "filter behind a shuffle, drop_remainder")
def filter_shuffled():
    return ids().shuffle(32, seed=1).filter(lambda n: n % 3 != 0).batch(8, drop_remainder=True)


@pipeline(NUMBERS, "flat_map over file names")
def flat_map():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    return files.flat_map(tf.data.TFRecordDataset).map(ident).batch(8)


@pipeline(NUMBERS, "flat_map of an element into several")
def flat_map_elements():
    return ids().flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(n % 3)).batch(8)


@pipeline(NUMBERS, "interleave, sequential")
def interleave():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    return files.interleave(tf.data.TFRecordDataset, cycle_length=2, block_length=4).map(ident).batch(8)


@pipeline(NUMBERS, "interleave, parallel, the file list shuffled")
def interleave_parallel():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS))).shuffle(16, seed=1)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=AUTO).map(ident).batch(8)


@pipeline(NUMBERS, "interleave with a map and a take inside the opened file")
def interleave_nested():
    files = tf.data.Dataset.list_files(NUMBERS, shuffle=False)
    return files.interleave(lambda f: tf.data.TFRecordDataset(f).map(ident).take(40), cycle_length=2).batch(8)


@pipeline(NUMBERS, "TFRecordDataset with num_parallel_reads")
def parallel_reads():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)), num_parallel_reads=2).map(ident).batch(8)


@pipeline(NUMBERS, "map_and_batch, with a captured tensor, drop_remainder")
def map_and_batch():
    twice = tf.constant([2, 2], tf.int64)
    return numbers().apply(tf.data.experimental.map_and_batch(
        lambda r: ident(r) * twice, batch_size=7, num_parallel_calls=2, drop_remainder=True))


@pipeline(NUMBERS, "map_and_batch behind a shuffle and a filter")
def map_and_batch_shuffled():
    kept = ids().shuffle(32, seed=1).filter(lambda n: n % 3 != 0)
    return kept.apply(tf.data.experimental.map_and_batch(lambda n: (n, n * 2), batch_size=8))


@pipeline(EXAMPLES, "parse_example_dataset, dense features of several types")
def parse_example_dataset():
    spec = {
        "name": tf.io.FixedLenFeature([], tf.string, "none"),
        "label": tf.io.FixedLenFeature([], tf.int64),
        "weight": tf.io.FixedLenFeature([], tf.float32, 1.0),
        "tokens": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).batch(6).apply(
        tf.data.experimental.parse_example_dataset(spec, num_parallel_calls=2))


@pipeline(EXAMPLES, "parse_example_dataset behind a shuffle, in any order")
def parse_example_dataset_shuffled():
    spec = {"label": tf.io.FixedLenFeature([], tf.int64)}
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).shuffle(30, seed=1).batch(8).apply(
        tf.data.experimental.parse_example_dataset(spec, num_parallel_calls=2, deterministic=False))


def fractions(record):
    """The two numbers with a fraction of a record of NUMBERS."""
    return tf.data.Dataset.from_tensor_slices(tf.io.decode_raw(tf.strings.substr(record, 8, 8), tf.float32))


@pipeline(NUMBERS, "flat_map into numbers with a fraction, as they were read")
def fractions_read():
    return numbers().flat_map(fractions).map(lambda x: x / 2.0).batch(8)


@pipeline(NUMBERS, "flat_map into numbers with a fraction that hang on the machine")
def fractions_computed():
    return numbers().flat_map(lambda record: fractions(record).map(tf.exp)).batch(8)


@pipeline(NUMBERS, "shuffle, seeded")
def shuffle():
    return ids().shuffle(50, seed=3).batch(8)


@pipeline(NUMBERS, "shuffle without a seed")
def shuffle_unseeded():
    return ids().shuffle(50).batch(8)


@pipeline(NUMBERS, "repeat over the whole pipeline: epochs")
def repeat():
    return ids().batch(8).repeat(2)


@pipeline(NUMBERS, "repeat for ever, in front of the batch: TensorFlow promises that no batch is short")
def repeat_endless():
    return ids().cache().shuffle(32, seed=2).repeat().batch(8).prefetch(AUTO)


@pipeline(NUMBERS, "repeat in the middle")
def repeat_inside():
    return ids().repeat(2).shuffle(20, seed=1).batch(8)


@pipeline(NUMBERS, "take behind a map: global position")
def take():
    return ids().take(120).batch(8)


@pipeline(NUMBERS, "interleave with numbers and a skip inside the opened file")
def interleave_numbered():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    numbered = lambda f: tf.data.Dataset.zip((tf.data.TFRecordDataset(f).map(ident), tf.data.Dataset.range(1000)))
    return files.interleave(lambda f: numbered(f).skip(1), cycle_length=2).batch(8)


@pipeline(NUMBERS, "interleave with a take of batches inside the opened file")
def interleave_taken_batches():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    return files.interleave(lambda f: tf.data.TFRecordDataset(f).map(ident).batch(10).take(3), cycle_length=2)


@pipeline(NUMBERS, "interleave with a take behind a shuffle inside the opened file")
def interleave_taken_by_chance():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    return files.interleave(lambda f: tf.data.TFRecordDataset(f).map(ident).shuffle(50).take(20), cycle_length=2).batch(8)


@pipeline(NUMBERS, "take of files, beside the source")
def take_files():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS))).take(2)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(8)


@pipeline(NUMBERS, "skip behind a map: global position")
def skip():
    return ids().skip(90).batch(8)


@pipeline(NUMBERS, "batch with a short last one")
def batch():
    return numbers().map(parsed).batch(7)


@pipeline(NUMBERS, "parallel batch, drop_remainder")
def batch_parallel():
    return numbers().map(parsed).batch(7, drop_remainder=True, num_parallel_calls=AUTO)


@pipeline(EXAMPLES, "padded_batch of tokens of different lengths")
def padded_batch():
    return examples().map(lambda e: (e["tokens"], e["label"]), num_parallel_calls=AUTO).padded_batch(6, ([None], []))


@pipeline(EXAMPLES, "padded_batch to a fixed shape with values")
def padded_batch_fixed():
    return examples().map(lambda e: (e["tokens"], e["name"])).padded_batch(
        6, ([12], []), (np.int64(-1), "none"), drop_remainder=True)


@pipeline(NUMBERS, "unbatch after a batch")
def unbatch():
    return numbers().map(parsed).batch(10).map(lambda n, xy: (n, xy * 2)).unbatch().batch(8)


@pipeline(NUMBERS, "unbatch of a user's rows: one record becomes many")
def unbatch_rows():
    return numbers().map(lambda r: parsed(r)[1]).unbatch().batch(8)


@pipeline(NUMBERS, "prefetch")
def prefetch():
    return ids().batch(8).prefetch(AUTO)


@pipeline(NUMBERS, "a step that sleeps, on one thread")
def sleep():
    return ids().batch(8).apply(testing.sleep(1_000))


@pipeline(NUMBERS, "zip with a counter")
def zip_counter():
    return tf.data.Dataset.zip((ids(), tf.data.Dataset.range(1 << 40))).batch(8)


@pipeline(NUMBERS, "zip with a counter in front")
def zip_counter_first():
    return tf.data.Dataset.zip((tf.data.Dataset.counter(), ids())).batch(8)


@pipeline(NUMBERS, "zip of two sources: a single task")
def zip_two_sources():
    labels = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return tf.data.Dataset.zip((ids(), labels)).batch(8)


@pipeline(NUMBERS, "enumerate")
def enumerate_():
    return ids().enumerate(start=5).batch(8)


@pipeline(NUMBERS, "labels looked up by enumerate: a single task")
def enumerate_labels():
    labels = tf.constant(np.arange(300, dtype=np.int64) * 7)
    return ids().enumerate().map(lambda i, n: (n, labels[i])).batch(8)


@pipeline(NUMBERS, "enumerate whose number is thrown away unread")
def enumerate_unread():
    return ids().enumerate().shuffle(16, seed=1).map(lambda i, n: n).batch(8)


@pipeline(NUMBERS, "enumerate whose number a filter reads: a single task")
def enumerate_filtered():
    return ids().enumerate().filter(lambda i, n: i % 4 != 0).map(lambda i, n: n).batch(8)


@pipeline(NUMBERS, "zip with a counter that ends first: a single task")
def zip_counter_finite():
    return tf.data.Dataset.zip((ids(), tf.data.Dataset.range(250))).map(lambda n, i: n).batch(8)


@pipeline(NUMBERS, "zip with random numbers without a seed, which are chance wherever they are drawn")
def zip_random():
    return tf.data.Dataset.zip((ids(), tf.data.Dataset.random())).batch(8)


@pipeline(NUMBERS, "zip with random numbers of a seed: a single task")
def zip_random_seeded():
    return tf.data.Dataset.zip((ids(), tf.data.Dataset.random(seed=3))).batch(8)


@pipeline(NUMBERS, "take of what options allow to come in any order")
def taken_unordered():
    options = tf.data.Options()
    options.deterministic = False
    return ids().map(lambda n: n + 1, num_parallel_calls=AUTO).take(100).batch(8).with_options(options)


@pipeline(NUMBERS, "take of an interleave of as many files as the host has cores, which only functions leave open")
def taken_by_host():
    names = tf.constant(sorted(glob.glob(NUMBERS)))

    def read(_):
        files = tf.data.Dataset.from_tensor_slices(names)
        return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO).map(ident)

    return tf.data.Dataset.range(1).flat_map(read).take(100).batch(8)


@pipeline(NUMBERS, "take of files that are read in any order, each by itself")
def taken_unordered_inside():
    def opened(file):
        return tf.data.TFRecordDataset(file).map(ident, num_parallel_calls=2, deterministic=False)

    return tf.data.Dataset.list_files(NUMBERS, shuffle=False).interleave(opened, cycle_length=2).take(100).batch(8)


@pipeline(NUMBERS, "take of a sloppy interleave")
def taken_sloppy():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS)))
    read = tf.data.experimental.parallel_interleave(tf.data.TFRecordDataset, cycle_length=2, sloppy=True)
    return files.apply(read).map(ident).take(100).batch(8)


@pipeline(NUMBERS, "take of what is kept in files")
def taken_of_files():
    return ids().cache("cache/of/this/process").snapshot("snapshot/of/this/process").take(100).batch(8)


@pipeline(NUMBERS, "groups of which one value each is made: a single task")
def groups_summed_up():
    def total(key, window):
        return window.batch(1000).map(lambda ns: (key, tf.reduce_sum(ns)))

    return ids().group_by_window(lambda n: n % 3, total, window_size=1000)


@pipeline(NUMBERS, "batches of which one value each is made: a single task")
def batches_summed_up():
    return ids().batch(7).map(tf.reduce_max).batch(8)


@pipeline(NUMBERS, "batches of which one vector each is made: a single task")
def batches_summed_to_vectors():
    return ids().map(lambda n: (n, tf.fill([3], n))).batch(7).map(lambda n, v: (v[0], tf.reduce_sum(v, 0))).batch(8)


@pipeline(NUMBERS, "groups of which one vector each is made, behind them: a single task")
def groups_summed_to_vectors():
    groups = ids().group_by_window(lambda n: n % 3, lambda key, window: window.batch(4), window_size=4)
    return groups.map(lambda n: (tf.reduce_sum(n), tf.fill([5], tf.reduce_max(n)))).batch(8)


@pipeline(NUMBERS, "groups of which one vector each is made, in them: a single task")
def groups_of_vectors():
    def total(key, window):
        return window.batch(4).map(lambda n, v: (key, tf.reduce_sum(v, 0)))

    return ids().map(lambda n: (n, tf.fill([3], n))).group_by_window(lambda n, v: n % 3, total, window_size=4).batch(8)


@pipeline(NUMBERS, "groups of which the first row is taken, whatever its shape: a single task")
def first_of_groups():
    def first(key, window):
        return window.batch(4).map(lambda n, v: (tf.reduce_max(n), v[0]))

    pairs = ids().map(lambda n: (n, tf.io.decode_raw(tf.strings.as_string(n, width=4, fill="0"), tf.uint8)))
    return pairs.group_by_window(lambda n, v: n % 3, first, window_size=4)


@pipeline(NUMBERS, "sums of as many values as a batch has rows, batched again with the sum of a short batch")
def short_batches_summed_up():
    sums = ids().map(lambda n: (n, tf.fill([8], n))).batch(8).map(lambda n, v: (tf.reduce_max(n), tf.reduce_sum(v, 0)))
    return sums.batch(1000).rebatch(3)


@pipeline(NUMBERS, "names that match a pattern, opened: a single task")
def matching_files():
    names = MatchingFilesDataset(NUMBERS)
    return names.flat_map(tf.data.TFRecordDataset).map(ident).batch(8)


@pipeline(NUMBERS, "take of what a filter keeps by chance")
def taken_by_chance():
    return ids().filter(lambda n: tf.random.uniform([]) < 0.5).take(100).batch(8)


@pipeline(NUMBERS, "take of draws that no key can make again: at least once")
def taken_unkeyed():
    def drawn(n):
        return n, tf.random.log_uniform_candidate_sampler([[n]], 1, 1, True, 100).sampled_candidates

    return ids().map(drawn).take(100).batch(8)


@pipeline(NUMBERS, "take of draws for groups, which nothing numbers: at least once")
def taken_of_groups():
    def reduced(key, window):
        return window.batch(8).map(lambda n: (n, tf.random.uniform([])))

    return ids().group_by_window(lambda n: n % 3, reduced, window_size=8).take(20)


@pipeline(NUMBERS, "cache in memory")
def cache():
    return numbers().map(parsed).cache().shuffle(32, seed=2).batch(8)


@pipeline(NUMBERS, "options: non-deterministic, private threads")
def options():
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    options.autotune.enabled = True
    return numbers().map(parsed, num_parallel_calls=AUTO).with_options(options).batch(8)


@pipeline(NUMBERS, "group_by_window")
def group_by_window():
    return ids().group_by_window(
        key_func=lambda n: n % 3, reduce_func=lambda key, window: window.batch(4), window_size=4)


@pipeline(TEXTS, "bucket_by_sequence_length: text by its number of words")
def bucket_by_sequence_length():
    lines = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return lines.map(lambda line: tf.strings.split(line)).bucket_by_sequence_length(
        element_length_func=lambda words: tf.shape(words)[0],
        bucket_boundaries=[4, 8], bucket_batch_sizes=[8, 6, 4], padded_shapes=[None])


@pipeline(NUMBERS, "scan: a single task, since its state goes from element to element")
def scan():
    return ids().scan(np.int64(0), lambda state, n: (state + 1, (state, n))).batch(8)


@pipeline(NUMBERS, "window, flattened: a single task")
def window():
    return ids().window(5, shift=5).flat_map(lambda w: w.batch(5))


@pipeline(NUMBERS, "window over pairs, zipped again: a single task")
def window_pairs():
    return numbers().map(parsed).window(4, shift=2, drop_remainder=True).flat_map(
        lambda a, b: tf.data.Dataset.zip((a.batch(4), b.batch(4))))


@pipeline(NUMBERS, "concatenate of two file lists")
def concatenate():
    first, second = sorted(glob.glob(NUMBERS))[:2], sorted(glob.glob(NUMBERS))[2:]
    return tf.data.TFRecordDataset(first).concatenate(tf.data.TFRecordDataset(second)).map(ident).batch(8)


@pipeline(NUMBERS, "sample_from_datasets, seeded")
def sample_from_datasets():
    files = sorted(glob.glob(NUMBERS))
    return tf.data.Dataset.sample_from_datasets(
        [tf.data.TFRecordDataset(files[:2]), tf.data.TFRecordDataset(files[2:])], weights=[0.7, 0.3], seed=4,
    ).map(ident).batch(8)


@pipeline(NUMBERS, "sample_from_datasets until one is at its end: a single task")
def sample_until_empty():
    files = sorted(glob.glob(NUMBERS))
    return tf.data.Dataset.sample_from_datasets(
        [tf.data.TFRecordDataset(files[:2]), tf.data.TFRecordDataset(files[2:])], seed=4, stop_on_empty_dataset=True,
    ).map(ident).batch(8)


@pipeline(NUMBERS, "choose_from_datasets by a list of choices: a single task")
def choose_from_datasets():
    files = sorted(glob.glob(NUMBERS))
    return tf.data.Dataset.choose_from_datasets(
        [tf.data.TFRecordDataset(files[:2]), tf.data.TFRecordDataset(files[2:])],
        tf.data.Dataset.range(2).repeat(30), stop_on_empty_dataset=False,
    ).map(ident).batch(8)


@pipeline(NUMBERS, "choose_from_datasets by turns without end")
def choose_by_turns():
    files = sorted(glob.glob(NUMBERS))
    return tf.data.Dataset.choose_from_datasets(
        [tf.data.TFRecordDataset(files[:2]), tf.data.TFRecordDataset(files[2:])],
        tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=False,
    ).map(ident).batch(8)


@pipeline(NUMBERS, "unique: a single task")
def unique():
    return ids().map(lambda n: n % 20).unique().batch(8)


@pipeline(NUMBERS, "snapshot, taken out")
def snapshot():
    return ids().snapshot("data/snapshot").batch(8)


@pipeline(NUMBERS, "tensors captured by a function")
def captured_tensors():
    mean, scale = tf.constant([1.0, 2.0]), tf.constant(0.5)
    offset = tf.constant(10, tf.int64)
    return numbers().map(parsed).map(
        lambda n, xy: (n + offset, (xy - mean) * scale), num_parallel_calls=AUTO, name="normalise",
    ).filter(lambda n, xy: n > offset).batch(8)


@tf.function
def scaled(n, factor):
    if n % 2 == 0:
        return n * factor
    return n + factor


@pipeline(NUMBERS, "a tf.function called by the map, with a branch written in Python")
def calls_function():
    return ids().map(lambda n: (n, scaled(n, tf.constant(3, tf.int64))), num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "a loop, as autograph makes it of Python's while")
def while_loop():
    def digits(n):
        count = tf.constant(1)
        while n >= 10:
            n = n // 10
            count += 1
        return count

    return ids().map(lambda n: (n, digits(n)), num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "a lookup table")
def lookup_table():
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.range(5, dtype=tf.int64), ["zero", "one", "two", "three", "four"]), "many")
    return ids().map(lambda n: (n, table.lookup(n % 7))).batch(8)


@pipeline(NUMBERS, "a table that can be changed, as it is when the pipeline is written down")
def mutable_table():
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)
    table.insert(tf.range(5, dtype=tf.int64), tf.range(5, dtype=tf.int64) * 7)
    return ids().map(lambda n: (n, table.lookup(n)), num_parallel_calls=AUTO).batch(8)


@pipeline(EXAMPLES, "nested tuples and dictionaries")
def nested():
    return examples().map(
        lambda e: {"b": (e["label"], e["weight"]), "a": {"y": e["name"], "x": (e["image"],)}}).batch(8)


@pipeline(TEXTS, "strings")
def strings():
    lines = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return lines.map(lambda line: (tf.strings.upper(line), tf.strings.length(line))).batch(8)


def typed(dtype):
    return ids().map(lambda n: (n, tf.cast(tf.stack([n % 100, n % 7]), dtype)), num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "uint8")
def type_uint8():
    return typed(tf.uint8)


@pipeline(NUMBERS, "float16")
def type_float16():
    return typed(tf.float16)


@pipeline(NUMBERS, "bfloat16")
def type_bfloat16():
    return typed(tf.bfloat16)


@pipeline(NUMBERS, "bool")
def type_bool():
    return typed(tf.bool)


@pipeline(NUMBERS, "types that TensorFlow's Java side has no tensors of")
def type_others():
    return ids().map(lambda n: (
        n, tf.cast(n % 100, tf.int8), tf.cast([n, -n], tf.int16), tf.cast(n, tf.uint32), tf.cast(n, tf.uint64),
        tf.complex(tf.cast(n, tf.float32), 1.0), tf.complex(tf.cast([n, n], tf.float64), tf.cast([1, 2], tf.float64)),
    )).batch(8)


@pipeline(NUMBERS, "int64")
def type_int64():
    return typed(tf.int64)


@pipeline(NUMBERS, "a batch of batches: two leading dimensions")
def batch_of_batches():
    return ids().batch(10).batch(3)


@pipeline(NUMBERS, "small elements of one static shape and no batch: packed for the journey")
def unbatched():
    return numbers().map(
        lambda r: (ident(r), tf.ensure_shape(tf.io.decode_raw(tf.strings.substr(r, 8, 8), tf.float32), [2])),
        num_parallel_calls=AUTO)


# --------------------------------------------------------------------------------------------- sources and randomness


@pipeline(TEXTS, "text lines")
def text_lines():
    return tf.data.TextLineDataset(sorted(glob.glob(TEXTS))).batch(8)


@pipeline(FIXED, "fixed-length records with header and footer")
def fixed_length():
    records = tf.data.FixedLengthRecordDataset(
        sorted(glob.glob(FIXED)), record_bytes=12, header_bytes=4, footer_bytes=2)
    return records.map(ident).batch(8)


@pipeline("data/gzip-*.tfrecord.gz", "gzip TFRecord")
def gzip_tfrecord():
    return tf.data.TFRecordDataset(sorted(glob.glob("data/gzip-*")), compression_type="GZIP").map(ident).batch(8)


@pipeline("data/zlib-*.tfrecord.zlib", "zlib TFRecord, by list_files and interleave")
def zlib_tfrecord():
    files = tf.data.Dataset.list_files("data/zlib-*", seed=5)
    return files.interleave(
        lambda f: tf.data.TFRecordDataset(f, compression_type="ZLIB"), num_parallel_calls=AUTO).map(ident).batch(8)


@pipeline(FLOWERS, "file names from a constant, nothing else")
def file_names():
    return tf.data.Dataset.from_tensor_slices(sorted(glob.glob(FLOWERS))).batch(4)


@pipeline("-", "integers")
def integers():
    return tf.data.Dataset.range(10, 500, 3).map(lambda n: (n, n * n), num_parallel_calls=AUTO).batch(8)


@pipeline("-", "slices of a constant: splits are ranges of its index")
def tensor_slices():
    xs = np.arange(120, dtype=np.float32).reshape(60, 2)
    return tf.data.Dataset.from_tensor_slices((xs, np.arange(60, dtype=np.int64))).shuffle(16, seed=1).batch(8)


@pipeline("-", "strings of a constant that hold a slash and name no file")
def tensor_slices_dates():
    days = [f"{1 + n % 28}/{1 + n % 12}/{1990 + n % 30}" for n in range(60)]
    return tf.data.Dataset.from_tensor_slices(days).map(lambda day: tf.strings.split(day, "/")[2]).batch(8)


@pipeline(FLOWERS, "names of a constant, opened in a function that another one calls, behind a batch that is undone")
def tensor_slices_opened():
    @tf.function
    def opened(name):
        return tf.strings.length(tf.io.read_file(name))

    names = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(FLOWERS)))
    return names.batch(4).unbatch().map(lambda name: (name, name)).map(lambda _, name: opened(name)).batch(8)


@pipeline(NUMBERS, "seeded random numbers of each kind")
def random_seeded():
    def draw(record):
        n = ident(record)
        return (n, tf.random.uniform([2], seed=11), tf.random.uniform([], 0, 100, tf.int32, seed=12),
                tf.random.normal([3], seed=13), tf.random.truncated_normal([1], seed=14))

    return numbers().map(draw, num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "random numbers without a seed, one of them behind a condition")
def random_unseeded():
    def draw(record):
        n = ident(record)
        return n, tf.cond(n % 2 == 0, lambda: tf.random.uniform([]), lambda: tf.constant(2.0))

    return numbers().map(draw).batch(8)


# ----------------------------------------------------------------------------------- as the tutorials write them


def decode_flower(path):
    parts = tf.strings.split(path, os.sep)
    label = tf.argmax(parts[-2] == tf.constant(["daisy", "rose", "tulip"]))
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [32, 32]), label


@pipeline(FLOWERS, "load_images tutorial: list_files, labels from paths, decode_jpeg")
def flowers():
    files = tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False)
    files = files.shuffle(24, reshuffle_each_iteration=False, seed=8)
    return files.map(decode_flower, num_parallel_calls=AUTO).shuffle(16).batch(4).prefetch(AUTO)


@pipeline(FLOWERS, "the same with cache and shuffling list_files")
def flowers_cached():
    files = tf.data.Dataset.list_files("data/flowers/*/*")
    return files.map(decode_flower, num_parallel_calls=AUTO).cache().shuffle(24).batch(4).prefetch(AUTO)


@pipeline(FLOWERS, "load_images tutorial: the part to train with, of a shuffled list of files")
def flowers_part():
    files = tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False).shuffle(24, reshuffle_each_iteration=False)
    return files.skip(6).map(decode_flower, num_parallel_calls=AUTO).batch(4)


@pipeline("-", "keras.utils.image_dataset_from_directory: names and labels zipped, each mapped, then shuffled")
def flowers_keras():
    return tf.keras.utils.image_dataset_from_directory(
        "data/flowers", image_size=(32, 32), batch_size=4, seed=1, verbose=0).prefetch(AUTO)


@pipeline(TEXTS, "csv tutorial: the first line left out")
def text_header():
    return tf.data.TextLineDataset(sorted(glob.glob(TEXTS))[0]).skip(1).shuffle(20, seed=1).batch(8)


FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "weight": tf.io.FixedLenFeature([], tf.float32, 1.0),
    "name": tf.io.FixedLenFeature([], tf.string, ""),
    "tokens": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
}


def examples():
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).map(
        lambda record: tf.io.parse_single_example(record, FEATURES), num_parallel_calls=AUTO, name="parse")


@pipeline(EXAMPLES, "tfrecord tutorial: Examples parsed in one big map")
def examples_big_map():
    def everything(record):
        example = tf.io.parse_single_example(record, FEATURES)
        image = tf.reshape(tf.io.decode_raw(example["image"], tf.uint8), [4, 4, 3])
        image = tf.image.random_flip_left_right(tf.image.resize(tf.cast(image, tf.float32) / 255.0, [8, 8]), seed=9)
        tokens = example["tokens"][:4]
        tokens = tf.pad(tokens, [[0, 4 - tf.size(tokens)]])
        return {"image": (image - 0.5) * 2.0, "label": tf.cast(example["label"], tf.int32),
                "weight": example["weight"], "tokens": tokens}

    files = tf.data.Dataset.list_files(EXAMPLES, seed=1)
    return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO, cycle_length=2).map(
        everything, num_parallel_calls=AUTO, name="everything").shuffle(40, seed=2).batch(16).prefetch(AUTO)


@pipeline(EXAMPLES, "vectorised parsing behind the batch")
def examples_vectorised():
    spec = {key: FEATURES[key] for key in ("label", "weight")}
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).batch(16).map(
        lambda records: tf.io.parse_example(records, spec), num_parallel_calls=AUTO)


@pipeline(TEXTS, "text tutorial: vocabulary, ids, buckets by length, pairs for a language model")
def text_bucketed():
    words = "the feed of a trainer is river that must not run dry while anyone drinks from it".split()
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(words, tf.range(len(words), dtype=tf.int64)), 4)
    lines = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return (lines.filter(lambda line: tf.strings.length(line) > 6)
            .map(lambda line: table.lookup(tf.strings.split(line)), num_parallel_calls=AUTO, name="tokenise")
            .map(lambda ids: (ids[:-1], ids[1:]))
            .shuffle(50, seed=6)
            .bucket_by_sequence_length(
                lambda a, b: tf.size(a), bucket_boundaries=[4, 8], bucket_batch_sizes=[8, 6, 4],
                padded_shapes=([None], [None]), drop_remainder=False)
            .prefetch(AUTO))


@pipeline(JPEGS, "decode, random crop, resize 224, flip, normalise, batch 32")
def jpeg_training():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(JPEGS))).shuffle(16, seed=1)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO, cycle_length=4)
            .map(lambda jpeg: tf.io.decode_jpeg(jpeg, channels=3), num_parallel_calls=AUTO, name="decode")
            .map(lambda image: tf.image.random_crop(image, [64, 64, 3], seed=2), num_parallel_calls=AUTO, name="crop")
            .map(lambda image: tf.image.resize(image, [224, 224]), num_parallel_calls=AUTO, name="resize")
            .map(lambda image: tf.image.random_flip_left_right(image, seed=3), num_parallel_calls=AUTO, name="flip")
            .map(lambda image: (image - 127.5) / 127.5, num_parallel_calls=AUTO, name="normalise")
            .batch(32).prefetch(AUTO))


@pipeline(JPEGS, "the same without chance: the window in the middle, no flip")
def jpeg_evaluation():
    def middle(image):
        top, left = (tf.shape(image)[0] - 64) // 2, (tf.shape(image)[1] - 64) // 2
        return tf.slice(image, [top, left, 0], [64, 64, 3])

    return (tf.data.TFRecordDataset(sorted(glob.glob(JPEGS)))
            .map(lambda jpeg: tf.io.decode_jpeg(jpeg, channels=3), num_parallel_calls=AUTO, name="decode")
            .map(middle, num_parallel_calls=AUTO, name="crop")
            .map(lambda image: tf.image.resize(image, [96, 80]), num_parallel_calls=AUTO, name="resize")
            .map(lambda image: (image - 127.5) / 127.5, num_parallel_calls=AUTO, name="normalise")
            .batch(16).prefetch(AUTO))


@pipeline(JPEGS, "the same as bytes: uint8 to the end, drop_remainder")
def jpeg_training_uint8():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(JPEGS))).shuffle(16, seed=1)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO, cycle_length=4)
            .map(lambda jpeg: tf.io.decode_jpeg(jpeg, channels=3), num_parallel_calls=AUTO, name="decode")
            .map(lambda image: tf.image.random_crop(image, [64, 64, 3], seed=2), num_parallel_calls=AUTO, name="crop")
            .map(lambda image: tf.cast(tf.image.resize(image, [224, 224]), tf.uint8), num_parallel_calls=AUTO,
                 name="resize")
            .map(lambda image: tf.image.random_flip_left_right(image, seed=3), num_parallel_calls=AUTO, name="flip")
            .batch(32, drop_remainder=True).prefetch(AUTO))


@pipeline(EXAMPLES, "a map that the user pinned by its name")
def keep_position():
    return examples().map(
        lambda e: (tf.cast(tf.io.decode_raw(e["image"], tf.uint8), tf.float32), e["label"]),
        num_parallel_calls=AUTO, name="keep_position_decode",
    ).map(lambda image, label: (image / 255.0, label), num_parallel_calls=AUTO, name="scale").batch(8)


# ------------------------------------------------------------------------------- several elements of one, told remainders


@pipeline(NUMBERS, "other batches behind a shuffle, the rest dropped")
def rebatch_shuffled():
    return ids().shuffle(32, seed=1).batch(4).rebatch(8, drop_remainder=True)


@pipeline(NUMBERS, "several elements of one behind a shuffle, of which nobody can tell how many before they are made: no tickets")
def filtered_children():
    return ids().shuffle(32, seed=1).flat_map(lambda n: tf.data.Dataset.range(n % 3).filter(lambda i: i > 0)).batch(8)


@pipeline(NUMBERS, "several elements of one behind a shuffle")
def flat_map_shuffled():
    return ids().shuffle(32, seed=1).flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(n % 3)).batch(8)


@pipeline(TEXTS, "the words of lines, filtered behind their birth")
def words_filtered():
    lines = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return lines.map(tf.strings.split).unbatch().filter(lambda word: tf.strings.length(word) > 3).batch(8)


@pipeline(NUMBERS, "a batch is made, some of it masked out, and taken apart again")
def masked_unbatched():
    return ids().batch(100).map(lambda n: tf.boolean_mask(n, n % 3 > 0), num_parallel_calls=AUTO).unbatch().batch(8)


@pipeline(NUMBERS, "records of several parts, the files interleaved inside")
def interleave_parts():
    def parts(n):
        return tf.data.Dataset.range(n % 4).map(lambda i: (n, i))

    return ids().interleave(parts, cycle_length=3, num_parallel_calls=AUTO, deterministic=False).batch(8)


@pipeline(NUMBERS, "a padded batch of batches: the last one is short within")
def padded_batch_of_batches():
    return ids().batch(16).padded_batch(3)


@pipeline(NUMBERS, "batches of whole batches only")
def dropped_batches_of_batches():
    return ids().batch(16, drop_remainder=True).batch(3)


@pipeline(TEXTS, "each file has a header, which is no element")
def headers_skipped():
    files = tf.data.Dataset.list_files(TEXTS, shuffle=False)
    return files.interleave(lambda f: tf.data.TextLineDataset(f).skip(1), cycle_length=2).batch(8, drop_remainder=True)


# ------------------------------------------------------------------------------------------------------ places of chance


@tf.function
def noisy(n):
    return tf.cast(n, tf.float32) + tf.random.uniform([3])


@pipeline(NUMBERS, "one function that draws, called twice for each element and once more by another map")
def draws_two_views():
    return (ids().map(lambda n: (n, noisy(n), noisy(n)), num_parallel_calls=AUTO)
            .map(lambda n, a, b: (n, a, b, noisy(n)))
            .map(lambda n, a, b, c: (n, a - tf.cast(n, tf.float32), b - tf.cast(n, tf.float32), c - tf.cast(n, tf.float32)))
            .batch(8))


@pipeline(NUMBERS, "draws in a loop, in the branches of a condition and in map_fn: each turn draws anew")
def draws_in_loops():
    def draw(n):
        turns = tf.TensorArray(tf.float32, 4)
        for i in tf.range(4):
            turns = turns.write(i, tf.random.uniform([]))
        pairs = tf.map_fn(lambda x: x + tf.random.uniform([]), tf.zeros([4]))
        either = tf.cond(n % 2 == 0, lambda: tf.random.uniform([4]), lambda: 1 + tf.random.uniform([4]))
        return n, turns.stack(), pairs, either

    return ids().map(draw, num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "every distribution that can be drawn by a key")
def draws_of_all_kinds():
    def draw(n):
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            [30000, 30000, 3], tf.constant([[[0.1, 0.1, 0.9, 0.9]]]), min_object_covered=0.1)
        return (n, tf.random.gamma([3], [1.0, 2.0]), tf.random.poisson([3], [4.0]), tf.random.normal([3]),
                tf.random.truncated_normal([3]), tf.random.uniform([3], 0, 1 << 30, tf.int32),
                tf.random.categorical(tf.zeros([1, 1000]), 3), tf.random.shuffle(tf.range(50)), begin, size)

    return ids().map(draw, num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "mixup: what is drawn behind a batch")
def draws_behind_a_batch():
    def mixed(n):
        return n, tf.random.uniform(tf.shape(n)), tf.random.shuffle(n)

    return ids().batch(8, drop_remainder=False).map(mixed, num_parallel_calls=AUTO)


@pipeline("-", "draws in a part that one task reads as a whole")
def draws_in_a_whole():
    return tf.data.Dataset.range(200).map(lambda n: (n, tf.random.uniform([2]))).skip(20).take(100).batch(8)


@pipeline(NUMBERS, "a filter by chance")
def draws_in_a_filter():
    return ids().filter(lambda n: tf.random.uniform([]) < 0.5).batch(8)


@pipeline(NUMBERS, "draws for each file, and for each record of the files, where they are opened")
def draws_in_files():
    def opened(file):
        start = tf.random.uniform([])
        return tf.data.TFRecordDataset(file).map(ident).map(lambda n: (n, start, tf.random.uniform([])))

    return tf.data.Dataset.list_files(NUMBERS, shuffle=False).interleave(opened, cycle_length=2).batch(8)


def drawn_children(n):
    return tf.data.Dataset.range(3).map(lambda i: (n, i, tf.random.uniform([2])))


@pipeline(NUMBERS, "several elements of one behind a shuffle, each with draws of its own, and a map that draws: no tickets")
def draws_of_children():
    return ids().shuffle(16, seed=1).flat_map(drawn_children).map(lambda *x: x + (tf.random.uniform([2]),)).batch(8)


@pipeline(NUMBERS, "the same with a scan that draws: a single task, which numbers what comes out of it")
def draws_in_a_scan():
    return (ids().flat_map(drawn_children)
            .scan(tf.constant(0.0), lambda state, x: (state, x + (tf.random.uniform([]),))).batch(8))


@pipeline(NUMBERS, "a generator of the process that wrote the program: its state is no task's")
def draws_by_a_generator():
    generator = tf.random.Generator.from_seed(5)
    return ids().map(lambda n: (n, generator.uniform([2]), generator.normal([2])), num_parallel_calls=AUTO).batch(8)


@pipeline(NUMBERS, "a draw that no key makes")
def draws_unkeyed():
    return ids().map(lambda n: (n, tf.random.log_uniform_candidate_sampler([[n]], 1, 4, True, 10000)[0])).batch(8)


@pipeline(NUMBERS, "a draw that no key makes, in files whose elements are numbered: at least once, renewed behind each split")
def unkeyed_in_files():
    def drawn(r):
        number = ident(r)
        return number, tf.random.log_uniform_candidate_sampler([[number]], 1, 1, True, 10000).sampled_candidates

    files = tf.data.Dataset.list_files(NUMBERS, shuffle=False)
    return files.interleave(lambda f: tf.data.TFRecordDataset(f).skip(1).map(drawn), cycle_length=2).batch(8)


@pipeline(NUMBERS, "batches are cut anew")
def rebatched():
    return ids().batch(10).rebatch(7)


@pipeline(NUMBERS, "a batch is a stretch of a sequence: what comes next is the label")
def sequence_by_batch():
    return ids().batch(10, drop_remainder=True).map(lambda row: (row[:-1], row[1:])).shuffle(5, seed=1).batch(4)


@pipeline(NUMBERS, "the same with a batch of any size")
def sequence_by_short_batch():
    return ids().batch(10).map(lambda row: (row[0], row[-1]))


@pipeline(NUMBERS, "the rows of a batch, arranged for two devices")
def batch_for_devices():
    return ids().batch(10, drop_remainder=True).map(lambda rows: tf.reshape(rows, [2, 5]))


@tf.function
def turned(n):
    return tf.map_fn(lambda x: x + 1, tf.stack([n, n]))


@tf.function
def turned_twice(n):
    return turned(n) + turned(n + 1)


@pipeline(NUMBERS, "functions that call functions with loops, several times each")
def calls_with_loops():
    return ids().map(lambda n: (n, turned_twice(n), turned(n), tf.cond(n % 2 == 0, lambda: turned(n), lambda: turned_twice(n)))).batch(8)


@pipeline("-", "the part to validate with, of a shuffle that the user seeded")
def seeded_split():
    return tf.data.Dataset.range(100).shuffle(100, seed=42, reshuffle_each_iteration=False).take(30).batch(8)


@pipeline("-", "the part to train with, of the same shuffle")
def seeded_rest():
    shuffled = tf.data.Dataset.range(100).shuffle(100, seed=42, reshuffle_each_iteration=False)
    return shuffled.skip(30).map(lambda n: n).batch(8)


@pipeline(NUMBERS, "what stands upstream of a cache is drawn once for all epochs, what stands downstream in each")
def draws_around_a_cache():
    return (ids().map(lambda n: (n, tf.random.uniform([])))
            .cache().map(lambda n, kept: (n, kept, tf.random.uniform([]))).batch(8))


@pipeline("-", "a subset taken by chance and cached: the same in every epoch")
def cached_subset():
    return tf.data.Dataset.range(1000).shuffle(1000).take(50).cache().shuffle(50).batch(8)


# ------------------------------------------------------------------------------------------------------------- refused


@pipeline(NUMBERS, "py_function: Python code does not travel", refused=True)
def py_function():
    return ids().map(lambda n: tf.py_function(lambda x: x + 1, [n], tf.int64), name="in_python").batch(8)


@pipeline(NUMBERS, "numpy_function", refused=True)
def numpy_function():
    return ids().map(lambda n: tf.numpy_function(lambda x: x + 1, [n], tf.int64)).batch(8)


@pipeline(NUMBERS, "a table of which the graph holds the handle only", refused=True)
def dense_table():
    table = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, default_value=-1, empty_key=-2, deleted_key=-3)
    table.insert(tf.range(5, dtype=tf.int64), tf.range(5, dtype=tf.int64))
    return ids().map(lambda n: (n, table.lookup(n)), name="look_up").batch(8)


@pipeline("-", "from_generator: a Python generator", refused=True)
def from_generator():
    return tf.data.Dataset.from_generator(lambda: iter(range(5)), output_signature=tf.TensorSpec([], tf.int64))


@pipeline(TEXTS, "ragged components", refused=True)
def ragged():
    lines = tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))
    return lines.batch(8).map(lambda line: tf.strings.split(line))


@pipeline(EXAMPLES, "sparse components", refused=True)
def sparse():
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).batch(8).map(
        lambda records: tf.io.parse_example(records, {"tokens": tf.io.VarLenFeature(tf.int64)}))


@pipeline(NUMBERS, "a window as a component: a dataset of datasets", refused=True)
def window_open():
    return ids().window(5)


# ------------------------------------------------------------------------------------------------------------- endless

# in a folder of their own: whoever runs every pipeline to its end would not come to theirs


def sample_endless():
    return tf.data.Dataset.sample_from_datasets([ids().repeat(), tf.data.Dataset.counter()], seed=4).batch(8)


def filter_nothing():
    return tf.data.Dataset.range(1 << 60).filter(lambda n: n < 0).batch(8)


def endless_element():
    return tf.data.Dataset.range(1 << 60).map(
        lambda n: tf.while_loop(lambda i: i >= 0, lambda i: (i + 1) % 1_000, [n])[0], num_parallel_calls=2).batch(8)


def large_batches():
    return tf.data.Dataset.range(1 << 60).map(lambda n: tf.fill([10 << 20], tf.cast(n, tf.float32))).batch(1).prefetch(4)


ENDLESS = ["sample_endless", "filter_nothing", "endless_element", "large_batches"]


def write_broken():
    """Files that are refused before any graph is seen, and one with an operation that no TensorFlow has."""
    with open("refused/empty.pb", "wb"):
        pass
    with open("refused/no_graph.pb", "wb") as out:
        out.write(b"This is a text, and no GraphDef at all.\n")
    whole = MADE["map"][0]()._as_serialized_graph().numpy()
    with open("refused/cut_short.pb", "wb") as out:
        out.write(whole[: len(whole) * 2 // 3])
    graph = tf.compat.v1.GraphDef.FromString(whole)
    for node in graph.node:
        if node.op == "MapDataset":
            node.op = "MapDatasetFromTheFuture"
    with open("refused/unknown_op.pb", "wb") as out:
        out.write(graph.SerializeToString(deterministic=True))
    graph = tf.compat.v1.GraphDef.FromString(whole)
    del graph.node[-1]
    with open("refused/no_retval.pb", "wb") as out:
        out.write(graph.SerializeToString(deterministic=True))


# ---------------------------------------------------------------------------------------------------------------- main

TWICE = ["jpeg_training", "examples_big_map", "text_bucketed", "lookup_table", "shuffle_unseeded", "bucket_by_sequence_length",
         "random_unseeded", "captured_tensors"]
OLD = TWICE + ["flowers", "group_by_window", "zip_counter", "interleave_parallel", "fixed_length", "padded_batch", "scan"]


def serialise(names, into):
    os.makedirs(into, exist_ok=True)
    for name in names:
        make = globals()[name] if name in ENDLESS else MADE[name][0]
        graph = make()._as_serialized_graph().numpy()
        with open(os.path.join(into, name + ".pb"), "wb") as out:
            out.write(graph)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out")
    arguments.add_argument("--only", help="names with commas, or twice, old, endless")
    arguments.add_argument("--into", default=".")
    arguments.add_argument("--before", type=int, default=0)
    given = arguments.parse_args()
    script = os.path.abspath(__file__)
    os.makedirs(given.out, exist_ok=True)
    os.chdir(given.out)
    for _ in range(given.before):
        numbers().map(lambda record: parsed(record)[1] * 3.0).shuffle(7).filter(lambda xy: xy[0] > 1.0).batch(3)
    if given.only:
        serialise({"twice": TWICE, "old": OLD, "endless": ENDLESS}.get(given.only) or given.only.split(","), given.into)
        return
    make_data.write(jpeg)
    serialise([name for name, made in MADE.items() if not made[3]], ".")
    serialise([name for name, made in MADE.items() if made[3]], "refused")
    serialise(ENDLESS, "endless")
    write_broken()
    with open("index.tsv", "w") as index:
        index.write("pipeline\tdata\tshows\n")
        for name, (_, data, note, refused) in sorted(MADE.items()):
            index.write(f"{'refused/' if refused else ''}{name}.pb\t{data}\t{note}\n")
    # the same programs in another process, where every counter stands elsewhere
    subprocess.run([sys.executable, script, ".", "--only", "twice", "--into", "twice", "--before", "5"], check=True)


if __name__ == "__main__":
    main()
