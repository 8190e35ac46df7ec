"""Programs that train models from text to text: spans dropped, mixtures of tasks, text joined and cut into chunks."""

import tensorflow as tf

from corpus import AUTO, program, universe

DOCUMENTS = "data/documents-0000[01].txt"
PAIRS = "data/pairs-*.tsv"
EXAMPLES = "data/examples-0000[12].tfrecord"
END = 1
SENTINEL = 999


def files(pattern=DOCUMENTS, shuffle=False):
    return tf.data.Dataset.list_files(pattern, shuffle=shuffle)


def lines(pattern=DOCUMENTS):
    return (files(pattern).interleave(tf.data.TextLineDataset, cycle_length=3, num_parallel_calls=AUTO)
            .filter(lambda line: tf.not_equal(tf.strings.length(line), 0)))


def tokens(line):
    return tf.strings.to_hash_bucket_fast(tf.compat.v1.string_split([line]).values, 900) + 2


def fitted(ids, length):
    ids = ids[:length]
    return tf.ensure_shape(tf.pad(ids, [[0, length - tf.size(ids)]]), [length])


def pairs(shuffle=False):
    def read(file):
        return tf.data.TextLineDataset(file).skip(1)

    columns = [tf.constant([0], tf.int64), tf.constant([""]), tf.constant([""]), tf.constant([0])]
    return (files(PAIRS, shuffle).interleave(read, cycle_length=2, num_parallel_calls=AUTO)
            .map(lambda line: tf.io.decode_csv(line, columns, field_delim="\t"), num_parallel_calls=AUTO))


@program("t5", data=DOCUMENTS, drawn={1: (0, SENTINEL), 2: (0, SENTINEL)})
def span_corruption():
    def corrupt(line):
        ids = tf.concat([tokens(line), [END]], 0)
        noise = tf.random.uniform(tf.shape(ids)) < 0.3
        before = tf.concat([[False], noise[:-1]], 0)
        starts = noise & ~before
        inputs = tf.boolean_mask(tf.where(starts, SENTINEL - tf.cumsum(tf.cast(starts, tf.int64)), ids), ~noise | starts)
        targets = tf.boolean_mask(ids, noise)
        return line, fitted(inputs, 16), fitted(targets, 16)

    return lines().map(corrupt, num_parallel_calls=AUTO).shuffle(50).batch(8).prefetch(AUTO)


@program("t5", data=DOCUMENTS, drawn={1: (0, SENTINEL), 2: (0, SENTINEL)})
def prefix_language_model():
    def parted(line):
        ids = tokens(line)
        place = tf.random.uniform([], 1, tf.size(ids), tf.int32)
        return line, fitted(ids[:place], 12), fitted(ids[place:], 12)

    return lines().map(parted, num_parallel_calls=AUTO).batch(8)


@program("t5", data=DOCUMENTS)
def chunks_within_a_file():
    """Words of a file, in windows of twelve."""
    def chunks(file):
        ids = tf.data.TextLineDataset(file).map(tokens).flat_map(tf.data.Dataset.from_tensor_slices)
        return ids.window(12, drop_remainder=True).flat_map(lambda window: window.batch(12, drop_remainder=True))

    return files().interleave(chunks, cycle_length=3, num_parallel_calls=AUTO).batch(4).prefetch(AUTO)


@program("t5", data=DOCUMENTS, unit="element", ordered=True)
def chunks_over_files():
    """Where a chunk begins depends on all that was before it."""
    text = tf.data.TextLineDataset(sorted(tf.io.gfile.glob(DOCUMENTS)))
    return (text.map(tokens, num_parallel_calls=AUTO).flat_map(tf.data.Dataset.from_tensor_slices)
            .batch(20, drop_remainder=True).map(lambda chunk: (chunk[:-1], chunk[1:])))


def task(prefix, dataset):
    return dataset.map(lambda inputs, targets: {"inputs": tf.strings.join([prefix, inputs]), "targets": targets},
                       num_parallel_calls=AUTO)


def similarity():
    return task("stsb: ", pairs().map(
        lambda i, a, b, label: (tf.strings.substr(tf.strings.join([a, b], "|"), 4, 20), tf.strings.as_string(label))))


def completion():
    return task("complete: ", lines().map(lambda line: (tf.strings.substr(line, 0, 6), tf.strings.substr(line, -6, 6))))


@program("t5", data="-")
def mixture():
    """By weights, until both tasks are at their end."""
    return (tf.data.Dataset.sample_from_datasets([similarity(), completion()], weights=[0.4, 0.6], seed=7)
            .shuffle(40).batch(8).prefetch(AUTO))


@program("t5", data=DOCUMENTS, choice=True, count=(20, 104))
def mixture_of_files():
    """A dataset a file; the shortest one ends it."""
    each = [tf.data.TextLineDataset(file).filter(lambda line: tf.strings.length(line) > 0)
            for file in sorted(tf.io.gfile.glob(DOCUMENTS))]
    return tf.data.Dataset.sample_from_datasets(each, stop_on_empty_dataset=True).batch(8)


@universe("mixture_of_files")
def all_lines():
    return lines().batch(8)


@program("t5", data=PAIRS)
def pairs_trimmed_and_padded():
    lengths = {"inputs": 12, "targets": 6}

    def features(index, first, second, label):
        return {"inputs": tokens(first), "targets": tokens(second)}

    def trim(example):
        return {name: tf.concat([ids[:lengths[name] - 1], [END]], 0) for name, ids in example.items()}

    return (pairs().map(features, num_parallel_calls=AUTO).map(trim, num_parallel_calls=AUTO)
            .padded_batch(8, padded_shapes={name: [length] for name, length in lengths.items()}).prefetch(AUTO))


@program("t5", data=EXAMPLES)
def tokens_joined_by_fours():
    """As reduce_concat does: four elements padded, joined, the filling taken out."""
    def parse(record):
        features = tf.io.parse_single_example(
            record, {"tokens": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)})
        return features["tokens"] + 1

    def joined(file):
        return (tf.data.TFRecordDataset(file).map(parse).padded_batch(4)
                .map(lambda batch: tf.boolean_mask(batch, batch > 0)))

    return (tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(EXAMPLES)))
            .interleave(joined, cycle_length=3, num_parallel_calls=AUTO)
            .map(lambda ids: (fitted(ids, 24), tf.size(ids)), num_parallel_calls=AUTO).batch(6))


@program("t5", data="-")
def characters():
    """The tutorial on generating text: a text held in memory, cut into rows, shifted by one."""
    text = "the feed of a trainer is a river that must not run dry while anyone drinks from it. " * 6
    letters = sorted(set(text))
    ids = tf.constant([letters.index(one) for one in text])
    rows = tf.data.Dataset.from_tensor_slices(ids).batch(20 + 1, drop_remainder=True)
    return rows.map(lambda row: (row[:-1], row[1:])).shuffle(100).batch(4, drop_remainder=True).prefetch(AUTO)


@program("t5", data=DOCUMENTS, mixed=True)
def lines_in_batches_of_batches():
    """A batch for each of several devices."""
    return (lines().map(lambda line: fitted(tokens(line), 8), num_parallel_calls=AUTO)
            .batch(4).batch(2).prefetch(AUTO))
