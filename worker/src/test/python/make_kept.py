"""Writes the pipelines that the tests of cached elements run on, into `pipelines/kept`.

    python make_kept.py OUT             # OUT is the folder `pipelines`, whose data files they read

Each hangs on something that an entry's key must tell of, or must not be kept: files that are opened by one name or another,
what is drawn, and shapes that are not what the program says.

Written with TensorFlow 2.18, `batches_of_all_types` with 2.21.
"""

import glob
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf

NUMBERS = "data/numbers-*.tfrecord"
FLOWERS = "data/flowers/*/*.jpg"
TEXTS = "data/text-*.txt"

MADE = {}


def pipeline(make):
    MADE[make.__name__] = make
    return make


def numbers():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)))


def flowers():
    return sorted(glob.glob(FLOWERS))


def ident(record):
    """The id of a record of NUMBERS."""
    return tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0]


def eight(record):
    """The first bytes of a record of NUMBERS."""
    return tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.uint8)


@tf.function
def load(name):
    return tf.io.read_file(name)


# ------------------------------------------------------------------------------- files that a key can tell of


@pipeline
def names():
    return tf.data.Dataset.from_tensor_slices(flowers()).map(lambda name: (load(name), name))


@pipeline
def names_and_labels():
    labels = list(range(len(flowers())))
    return tf.data.Dataset.from_tensor_slices((flowers(), labels)).map(lambda name, label: (tf.io.read_file(name), label))


@pipeline
def pictures_and_masks():
    given = {"mask": flowers()[::-1], "picture": flowers(), "weight": [1.0] * len(flowers())}
    chosen = tf.data.Dataset.from_tensor_slices(given).filter(lambda one: one["weight"] > 0)
    return chosen.map(lambda one: (load(one["picture"]), tf.io.read_file(one["mask"])))


# --------------------------------------------------------------------------------------- and those that it cannot


@pipeline
def names_that_a_file_holds():
    return tf.data.TextLineDataset(sorted(glob.glob(TEXTS))).map(tf.io.read_file)


@pipeline
def captured_name():
    name = tf.constant(flowers()[0])
    return tf.data.Dataset.from_tensor_slices(flowers()).map(lambda other: (tf.io.read_file(other), tf.io.read_file(name)))


@pipeline
def name_made_for_a_call():
    of = tf.data.Dataset.from_tensor_slices(flowers())
    return of.map(lambda name: (load(name), load(tf.strings.regex_replace(name, "jpg", "txt"))))


@pipeline
def name_made_a_step_before():
    return tf.data.Dataset.from_tensor_slices(flowers()).map(lambda name: name + ".txt").map(tf.io.read_file)


@pipeline
def name_in_a_branch():
    def read(name):
        return tf.cond(tf.strings.length(name) > 3, lambda: tf.io.read_file(name), lambda: name)

    return tf.data.Dataset.from_tensor_slices(flowers()).map(read)


@pipeline
def lines_in_a_map():
    words = sorted(glob.glob(TEXTS))[0]
    return numbers().map(lambda record: (ident(record), tf.data.TextLineDataset(words).batch(999).get_single_element()))


@pipeline
def records_in_a_map():
    other = sorted(glob.glob(NUMBERS))[0]
    return numbers().map(lambda record: tf.data.TFRecordDataset(other).reduce(ident(record), lambda sum, _: sum + 1))


@pipeline
def table_in_a_map():
    table = sorted(glob.glob(TEXTS))[0]
    return numbers().map(lambda record: tf.data.experimental.CsvDataset(table, [""]).reduce(ident(record), lambda sum, _: sum + 1))


@pipeline
def folder_in_a_map():
    return numbers().map(lambda record: tf.data.Dataset.list_files(TEXTS, shuffle=False).reduce(ident(record), lambda sum, _: sum + 1))


@pipeline
def file_beside_each():
    def both(name):
        return tf.data.TFRecordDataset(name).map(lambda record: (record, tf.io.read_file(name + ".txt")))

    return tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS))).interleave(both)


# ----------------------------------------------------------------------------------------------------------- chance


@pipeline
def drawn_and_cached():
    return numbers().map(lambda record: (ident(record), tf.random.uniform([]))).cache()


@pipeline
def names_repeated_below_a_cache():
    of = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(NUMBERS))).repeat(3)
    return of.flat_map(tf.data.TFRecordDataset).map(lambda record: (ident(record), tf.random.uniform([]))).cache()


# ------------------------------------------------------------------------------------------------- shapes and types


@pipeline
def rows_and_columns_mixed_up():
    def picture(record):
        rows = tf.where(tf.strings.length(record) > 0, [4, 2], [2, 4])
        told = tf.reshape(eight(record), rows)
        told.set_shape([2, 4])
        return told

    return numbers().map(picture).map(tf.io.serialize_tensor)


@pipeline
def shorter_than_told():
    def picture(record):
        told = eight(record)
        told.set_shape([16])
        return told

    return numbers().map(picture).map(lambda told: tf.reduce_sum(tf.cast(told, tf.int64)))


@pipeline
def quantised():
    return numbers().map(lambda record: tf.quantization.quantize(tf.cast(eight(record), tf.float32), 0.0, 255.0, tf.quint8).output)


@pipeline
def of_all_types():
    def typed(record):
        number = ident(record)
        whole = [tf.cast(number, dtype) for dtype in (tf.int8, tf.uint16, tf.uint64, tf.bfloat16, tf.float16, tf.complex64)]
        empty = [tf.zeros([0, 3]), tf.zeros([3, 0], tf.bool), tf.constant(""), tf.constant([], tf.string)]
        return (*whole, *empty, number % 2 == 0, tf.range(number % 3), tf.cast([[number]], tf.complex128))

    return numbers().map(typed)


@pipeline
def batches_of_all_types():
    def typed(record):
        number = ident(record)
        whole = [tf.cast(number, dtype) for dtype in (tf.int8, tf.uint16, tf.uint64, tf.bfloat16, tf.float16, tf.complex64)]
        empty = [tf.zeros([0, 3]), tf.zeros([3, 0], tf.bool)]
        return (*whole, *empty, number % 2 == 0, tf.range(3) + tf.cast(number, tf.int32), tf.cast([[number]], tf.complex128))

    return numbers().map(typed).filter(lambda number, *_: number % 5 != 0).batch(7).prefetch(2)


def main():
    os.chdir(sys.argv[1])
    os.makedirs("kept", exist_ok=True)
    for name, make in MADE.items():
        with open(f"kept/{name}.pb", "wb") as out:
            out.write(make()._as_serialized_graph().numpy())


if __name__ == "__main__":
    main()
