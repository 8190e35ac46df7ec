"""Texts as people tokenise, pack, mask and pair them for training."""

import glob

import tensorflow as tf

from corpus import AUTO, TEXTS, program
from corpus.sources import files, words

D = tf.data.Dataset
DOCUMENTS = "data/documents-*.txt"
PAIRS = "data/pairs-*.tsv"


def ids(text):
    return tf.strings.to_hash_bucket_fast(tf.strings.split(text), 90) + 10


def documents():
    """Lines of the documents, none of them empty."""
    return tf.data.TextLineDataset(sorted(glob.glob(DOCUMENTS))).filter(lambda line: tf.strings.length(line) > 0)


def pairs():
    def read(file):
        return tf.data.TextLineDataset(file).skip(1).map(lambda line: tf.io.decode_csv(line, [[0], [""], [""], [0]], field_delim="\t"))

    return files(PAIRS).interleave(read, cycle_length=2, num_parallel_calls=AUTO, deterministic=True)


# ------------------------------------------------------------------------------------------------------------ packed


@program("t5", DOCUMENTS)
def tokens_packed_into_rows_of_a_causal_model():
    """GPT's: all text runs on, with an end between lines, rows of one more than the context, shuffled, two epochs."""
    packed = documents().map(lambda line: tf.concat([ids(line), [1]], 0)).unbatch().batch(17, drop_remainder=True)
    return packed.map(lambda row: (row[:-1], row[1:]), num_parallel_calls=AUTO).shuffle(50).repeat(2).batch(4).prefetch(AUTO)


@program("t5", DOCUMENTS)
def parallel_streams_of_truncated_backpropagation():
    """Four readers of one text, each going on where its last row ended: row i of a batch is reader i's."""
    text = documents().map(ids).unbatch().batch(20, drop_remainder=True).batch(4, drop_remainder=True)
    return text.flat_map(lambda block: D.from_tensor_slices(tf.transpose(tf.reshape(block, [4, 4, 5]), [1, 0, 2])))


# ------------------------------------------------------------------------------------------------------------ masked


@program("contrastive", PAIRS)
def positives_in_a_matrix_of_the_batch():
    def labelled(n, a, b, label):
        same = tf.cast(label[:, None] == label[None, :], tf.float32)
        return n, tf.reduce_mean(same, 1)

    return pairs().cache().batch(8).map(labelled).prefetch(2)


# ------------------------------------------------------------------------------------------------ vocabularies, n-grams


@program("guide", TEXTS)
def words_seen_first_numbered():
    """A vocabulary in the order in which words turn up."""
    return words().flat_map(lambda w: D.from_tensor_slices(w[1:])).unique().enumerate().batch(5)


# ------------------------------------------------------------------------------------------ joined, left out


@program("t5", DOCUMENTS)
def paragraphs_gathered_by_a_scan():
    """A line belongs to the paragraph whose number is how many empty lines were before it."""
    numbered = tf.data.TextLineDataset(sorted(glob.glob(DOCUMENTS))).scan(
        tf.constant(0, tf.int64), lambda n, line: (n + tf.cast(line == "", tf.int64), (n, line)))
    kept = numbered.filter(lambda n, line: line != "")
    return kept.group_by_window(
        lambda n, line: n, lambda n, w: w.batch(50).map(lambda i, b: (i[0], tf.strings.reduce_join(b, separator="/"))),
        window_size=50).batch(4)


@program("t5", TEXTS)
def skip_grams_of_each_line_shuffled():
    """The word beside each of its neighbours, and negatives of a fixed set."""
    negatives = tf.constant(["a", "b"])

    def around(w):
        pairs = D.zip((D.from_tensor_slices(w[:-1]), D.from_tensor_slices(w[1:])))
        return pairs.map(lambda t, c: (t, tf.concat([[c], negatives], 0), tf.constant([1, 0, 0])))

    return words().flat_map(around).shuffle(200).batch(16, drop_remainder=False).cache()


@program("t5", TEXTS)
def characters_in_windows_that_follow_each_other_for_a_state():
    text = tf.strings.join([tf.io.read_file(name) for name in sorted(glob.glob(TEXTS))])
    ids = D.from_tensor_slices(tf.strings.unicode_decode(text, "UTF-8"))
    slid = ids.window(21, shift=20, drop_remainder=True).flat_map(lambda w: w.batch(21))
    return slid.batch(1).map(lambda w: (w[:, :-1], w[:, 1:])).map(lambda x, y: (tf.one_hot(x % 16, 16, dtype=tf.uint8), y)).prefetch(1)
