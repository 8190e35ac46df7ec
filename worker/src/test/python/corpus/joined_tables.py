"""Tables, and what users did with items, as people aggregate, encode, join and split them."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program
from corpus.sources import FEW, few, files

D = tf.data.Dataset
PEOPLE = "data/people-*.csv"
IRIS = "data/iris-*.csv"
WINE = "data/wine-*.csv"
EXAMPLES = "data/examples-0000[01].tfrecord"
NAMES = ["id", "age", "income", "city", "married", "label"]


def people():
    """Age and income are -1 where they are missing."""
    def read(file):
        lines = tf.data.TextLineDataset(file).skip(1)
        return lines.map(lambda line: dict(zip(NAMES, tf.io.decode_csv(line, [[0], [-1], [-1.0], [""], [""], [0]]))))

    return files(PEOPLE).interleave(read, cycle_length=3, num_parallel_calls=AUTO)


def events():
    """What 7 users did, in the order of time: user, item, time."""
    return few().map(lambda n: (n * n % 7, n * 13 % 31, n))


def made(pattern, size, **named):
    return tf.data.experimental.make_csv_dataset(pattern, size, num_epochs=1, **named)


# ------------------------------------------------------------------------------------------------------------ columns


@program("tabular", IRIS)
def made_packed_and_normalised():
    """Columns stacked, less the mean that a first pass found."""
    names = ["a", "b", "c", "d", "kind"]
    raw = made(IRIS, 9, column_names=names, label_name="kind", header=False, shuffle=False)
    packed = raw.map(lambda row, kind: (tf.stack(list(row.values()), -1), kind))
    total = packed.reduce(np.zeros(4, np.float32), lambda seen, row: seen + tf.reduce_sum(row[0], 0))
    return packed.map(lambda row, kind: ((row - total / 90.0) / 2.0, kind)).prefetch(AUTO)


@program("tabular", WINE)
def made_with_missing_ones_filled_by_the_batch():
    """What is missing becomes the mean of the batch's others."""
    raw = made(WINE, 10, field_delim=";", na_value="NA", column_defaults=[0, -1.0, "none"], shuffle=False)

    def filled(row):
        there = row["quality"] >= 0
        mean = tf.reduce_sum(tf.where(there, row["quality"], 0.0)) / tf.reduce_sum(tf.cast(there, tf.float32))
        return row["id"], tf.where(there, row["quality"], mean), row["note"]

    return raw.map(filled)


@program("tabular", PEOPLE)
def missing_ones_filled_by_those_before():
    """Forward fill, over all files."""
    def fill(last, row):
        age = tf.where(row["age"] < 0, last, row["age"])
        return age, (row["id"], age)

    return people().scan(0, fill).shuffle(40).batch(8)


@program("tabular", PEOPLE)
def incomes_less_the_mean_of_their_city():
    """Group-wise: whole groups, taken apart again."""
    def centred(key, window):
        return window.batch(1000).map(lambda row: (row["id"], row["income"] - tf.reduce_mean(row["income"]))).unbatch()

    return people().filter(lambda row: row["income"] >= 0).group_by_window(
        lambda row: tf.strings.to_hash_bucket_fast(row["city"], 64), centred, window_size=1000).batch(8)


@program("tabular", PEOPLE)
def segments_of_a_batch():
    """Means of each class within a batch, handed back to its rows."""
    def means(row):
        label = tf.cast(row["label"], tf.int32)
        mean = tf.math.unsorted_segment_mean(tf.cast(row["age"], tf.float32), label, 2)
        return row["id"], tf.gather(mean, label)

    return people().batch(12).map(means)


@program("tabular", EXAMPLES)
def features_that_are_sparse_ragged_and_missing():
    spec = {"tokens": tf.io.RaggedFeature(tf.int64), "name": tf.io.VarLenFeature(tf.string), "label": tf.io.FixedLenFeature([], tf.int64),
            "absent": tf.io.FixedLenFeature([2], tf.float32, [0.5, 0.25])}

    def parse(records):
        parsed = tf.io.parse_example(records, spec)
        tokens = parsed["tokens"]
        return (parsed["label"], tf.sparse.to_dense(parsed["name"], b"?")[:, :1], tokens[:, :2].to_tensor(-1, shape=[None, 2]),
                tf.reduce_max(tokens, 1), parsed["absent"])

    return files(EXAMPLES).interleave(tf.data.TFRecordDataset, cycle_length=2).shuffle(50).batch(15).map(parse)


# ------------------------------------------------------------------------------------------------------------ joined


@program("tabular", PEOPLE)
def rows_joined_by_a_key():
    """A join by loops: those of the other table with the same key, of which there may be none."""
    wine = files(WINE).flat_map(lambda f: tf.data.TextLineDataset(f).skip(1)).map(
        lambda line: tf.io.decode_csv(line, [[0], ["?"], ["?"]], field_delim=";"))
    return people().flat_map(lambda row: wine.filter(lambda i, q, note: i == row["id"]).map(
        lambda i, q, note: (row["id"], row["age"], q, note))).batch(8)


@program("tabular", PEOPLE)
def rest_of_each_class_for_training():
    ds = people().map(lambda row: (row["id"], row["label"])).shuffle(120, seed=5, reshuffle_each_iteration=False)
    parts = [ds.filter(lambda n, label, k=k: label == k).skip(many) for k, many in ((1, 10), (0, 30))]
    return parts[0].concatenate(parts[1]).cache().shuffle(100).repeat(2).batch(8)


# ------------------------------------------------------------------------------------------------------ users and items


@program("tabular", FEW)
def items_of_users_in_sliding_windows():
    """Three before and the next, of each user."""
    def windows(user, window):
        slid = window.map(lambda u, item, time: item).window(4, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(4))
        return slid.map(lambda items: (user, items[:3], items[3]))

    return events().group_by_window(lambda u, i, t: u, windows, window_size=1000).shuffle(30).batch(8)


@program("tabular", FEW)
def sessions_by_gaps_of_time():
    """A new one where more than ten seconds have passed; numbered by a scan, then brought together."""
    def number(state, n):
        last, session = state
        session = session + tf.cast(n - last > 1, tf.int64)
        return (n, session), (session, n)

    kept = few().filter(lambda n: n % 9 != 4)
    sessions = kept.scan((np.int64(-10), np.int64(0)), number)
    return sessions.group_by_window(
        lambda s, n: s, lambda s, w: w.batch(100).map(lambda _, n: (s, tf.size(n), n[0], n[-1])), window_size=100).batch(5)


@program("tabular", FEW)
def pairs_of_items_of_a_user():
    """All pairs within a user's last four: a product of the window with itself."""
    def pairs(user, window):
        items = window.map(lambda u, item, t: item)
        return items.batch(4).flat_map(lambda b: D.from_tensor_slices(b).flat_map(
            lambda one: D.from_tensor_slices(b).filter(lambda other: other > one).map(lambda other: (user, one, other))))

    return events().group_by_window(lambda u, i, t: u, pairs, window_size=4).batch(12)
