"""Programs on tables held in memory or in records: columns hashed and cut, classes balanced, parts for training and validation."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program, universe

EXAMPLES = "data/examples-0000[01].tfrecord"
NUMBERS = "data/numbers-0000[23].tfrecord"
PEOPLE = "data/people-0000[01].csv"


def table(rows=40):
    """What pandas would hold: a column a key, and the target."""
    number = np.arange(rows)
    features = {
        "age": (18 + number * 7 % 60).astype(np.int64),
        "fare": (number % 13 * 3.5).astype(np.float32),
        "sex": np.array([b"female", b"male"])[number % 2],
        "thal": np.array([b"fixed", b"normal", b"reversible"])[number * 5 % 3],
    }
    return features, (number % 10 == 0).astype(np.int64)


def examples():
    spec = {"label": tf.io.FixedLenFeature([], tf.int64), "weight": tf.io.FixedLenFeature([], tf.float32),
            "name": tf.io.FixedLenFeature([], tf.string, ""), "tokens": tf.io.VarLenFeature(tf.int64)}
    files = tf.data.Dataset.list_files(EXAMPLES, shuffle=False)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=3, num_parallel_calls=AUTO).map(
        lambda record: tf.io.parse_single_example(record, spec), num_parallel_calls=AUTO)


def numbers():
    def parse(record):
        return (tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0],
                tf.io.decode_raw(tf.strings.substr(record, 8, 8), tf.float32))

    return tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(NUMBERS))).map(parse, num_parallel_calls=AUTO)


def people():
    lines = tf.data.Dataset.list_files(PEOPLE, shuffle=False).interleave(
        lambda file: tf.data.TextLineDataset(file).skip(1), cycle_length=3, num_parallel_calls=AUTO)
    names = ["id", "age", "income", "city", "married", "label"]
    return lines.map(lambda line: dict(zip(names, tf.io.decode_csv(line, [[0], [-1], [-1.0], [""], [""], [0]]))),
                     num_parallel_calls=AUTO)


# ------------------------------------------------------------------------------------------------------------ in memory


@program("tabular")
def table_in_memory():
    return tf.data.Dataset.from_tensor_slices(table()).shuffle(60).batch(16).prefetch(AUTO)


@program("tabular")
def table_normalised():
    features, target = table()
    mean, deviation = tf.constant(features["fare"].mean()), tf.constant(features["fare"].std())

    def normalise(row, label):
        return tf.stack([tf.cast(row["age"], tf.float32) / 100.0, (row["fare"] - mean) / deviation]), label

    return (tf.data.Dataset.from_tensor_slices((features, target)).map(normalise, num_parallel_calls=AUTO)
            .cache().shuffle(1000).batch(10, drop_remainder=True).prefetch(AUTO))


@program("tabular")
def table_of_crossed_columns():
    def columns(row, label):
        crossed = tf.strings.join([row["sex"], row["thal"]], "_x_")
        return {"crossed": tf.strings.to_hash_bucket_strong(crossed, 50, [1, 2]),
                "thal": tf.one_hot(tf.strings.to_hash_bucket_fast(row["thal"], 5), 5)}, label

    return tf.data.Dataset.from_tensor_slices(table()).map(columns, num_parallel_calls=AUTO).shuffle(20, seed=1).batch(12)


@program("tabular")
def table_of_buckets():
    """Ages cut at given bounds, behind the batch."""
    def cut(rows, labels):
        places = tf.raw_ops.Bucketize(input=rows["age"], boundaries=[25.0, 40.0, 60.0])
        return tf.one_hot(places, 4), tf.searchsorted([3.0, 10.0, 30.0], rows["fare"]), labels

    return tf.data.Dataset.from_tensor_slices(table()).batch(15).map(cut, num_parallel_calls=AUTO).prefetch(2)


@program("tabular", drawn={1: (0, 99)})
def negatives_drawn():
    """For each pair of a user and an item three items more, drawn."""
    users, items = np.arange(60) % 12, np.arange(60) * 17 % 100

    def sampled(user, item):
        negatives = tf.random.uniform([3], 0, 100, tf.int64)
        return (user, item), negatives

    return (tf.data.Dataset.from_tensor_slices((users, items))
            .map(lambda user, item: ((user, item), sampled(user, item)[1]), num_parallel_calls=AUTO)
            .map(lambda pair, negatives: (pair[0], negatives, pair[1])).shuffle(60).batch(12))


@program("tabular", drawn={0: (0, 43)})
def columns_swapped():
    """Swap noise: behind the batch some fares are another row's."""
    def swap(rows, labels):
        other = tf.random.shuffle(rows["fare"])
        chosen = tf.random.uniform(tf.shape(other)) < 0.15
        return tf.where(chosen, other, rows["fare"]), labels

    return tf.data.Dataset.from_tensor_slices(table()).batch(20).map(swap, num_parallel_calls=AUTO)


# ---------------------------------------------------------------------------------------------------- balanced classes


@program("tabular", choice=True)
def balanced_by_sampling():
    rows = tf.data.Dataset.from_tensor_slices(table())
    positive = rows.filter(lambda row, label: label == 1).shuffle(60).repeat()
    negative = rows.filter(lambda row, label: label == 0).shuffle(60).repeat()
    return tf.data.Dataset.sample_from_datasets([positive, negative], weights=[0.5, 0.5]).take(40).batch(12).prefetch(2)


@universe("balanced_by_sampling")
def all_rows():
    return tf.data.Dataset.from_tensor_slices(table()).batch(12)


@program("tabular", choice=True, count=(1, 40))
def balanced_by_rejection():
    return (tf.data.Dataset.from_tensor_slices(table())
            .rejection_resample(lambda row, label: label, target_dist=[0.5, 0.5], initial_dist=[0.9, 0.1])
            .map(lambda label, row_and_label: row_and_label).batch(10))


universe("balanced_by_rejection")(all_rows)


@program("tabular", data=EXAMPLES, choice=True, count=(20, 100))
def kept_by_a_draw():
    return (examples().filter(lambda e: tf.random.uniform([]) < 0.5)
            .map(lambda e: (e["label"], e["weight"])).batch(10).prefetch(AUTO))


@universe("kept_by_a_draw")
def all_examples():
    return examples().map(lambda e: (e["label"], e["weight"])).batch(10)


# ------------------------------------------------------------------------------------------- training and validation


@program("tabular", data=NUMBERS)
def first_part():
    return numbers().take(64).batch(16).prefetch(AUTO)


@program("tabular", data=NUMBERS)
def remaining_part():
    return numbers().skip(64).batch(16).prefetch(AUTO)


@program("tabular", data=NUMBERS)
def training_part_of_a_seeded_shuffle():
    return numbers().shuffle(100, seed=42, reshuffle_each_iteration=False).take(80).shuffle(80).batch(16)


@program("tabular", data=NUMBERS)
def validation_part_of_a_seeded_shuffle():
    return numbers().shuffle(100, seed=42, reshuffle_each_iteration=False).skip(80).batch(10)


@program("tabular", data=NUMBERS, choice=True)
def subset_kept_for_all_epochs():
    """Which thirty rows is drawn once, and they are kept."""
    return numbers().shuffle(100).take(30).cache().repeat(2).batch(10)


@universe("subset_kept_for_all_epochs")
def all_numbers():
    return numbers().batch(10)


@program("tabular", data=EXAMPLES)
def one_of_two_shards():
    return examples().shard(num_shards=2, index=0).map(lambda e: (e["label"], e["name"])).batch(10).prefetch(AUTO)


@program("tabular", data=EXAMPLES)
def shard_of_files():
    files = tf.data.Dataset.list_files(EXAMPLES, shuffle=False).shard(2, 1)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO, cycle_length=1)
            .map(lambda r: tf.io.parse_single_example(r, {"label": tf.io.FixedLenFeature([], tf.int64)}), num_parallel_calls=AUTO)
            .shuffle(30).batch(8))


@program("tabular", data=NUMBERS)
def four_of_five_by_enumerate():
    return (numbers().enumerate().filter(lambda place, row: place % 5 != 0)
            .map(lambda place, row: row, num_parallel_calls=AUTO).shuffle(50).batch(8))


@program("tabular", data=NUMBERS)
def labels_looked_up_by_place():
    labels = tf.constant(np.arange(100) * 3 % 17)
    return numbers().enumerate().map(lambda place, row: (row[0], tf.gather(labels, place)), num_parallel_calls=AUTO).batch(8)


@program("tabular", data=NUMBERS)
def labels_zipped():
    """Labels of a file of their own: the same number of them, in the same order."""
    labels = tf.data.Dataset.from_tensor_slices(np.arange(100) * 3 % 17)
    return tf.data.Dataset.zip((numbers(), labels)).map(lambda row, label: (row[0], label)).batch(10)


# --------------------------------------------------------------------------------------------------- columns of records


@program("tabular", data=EXAMPLES)
def categories_of_many_values():
    """Tokens in buckets, several hot at once."""
    def hot(example):
        places = example["tokens"].values % 12
        return example["label"], tf.reduce_max(tf.concat([tf.zeros([1, 12]), tf.one_hot(places, 12)], 0), 0)

    return examples().map(hot, num_parallel_calls=AUTO).filter(lambda label, hot: label % 2 == 0).batch(16)


@program("tabular", data=PEOPLE, ordered=True)
def incomes_added_up():
    """A running sum by scan: each row's depends on all before it."""
    return (people().map(lambda row: (row["id"], tf.maximum(row["income"], 0.0)))
            .scan(tf.constant(0.0, tf.float64), lambda total, row: (
                total + tf.cast(row[1], tf.float64), (row[0], total + tf.cast(row[1], tf.float64))))
            .batch(20))


@program("tabular", data=PEOPLE, unit="element")
def incomes_by_city():
    """One element a city: the sum over its rows."""
    def total(key, window):
        return window.batch(1000).map(lambda rows: (key, tf.reduce_sum(tf.cast(tf.maximum(rows["age"], 0), tf.int64)), tf.size(rows["id"])))

    return people().group_by_window(lambda row: tf.cast(row["id"] % 5, tf.int64), total, window_size=1000)
