"""What many programs begin with."""

import glob

import tensorflow as tf

from corpus import FIXED, TEXTS, ident

FEW = "data/numbers-0000[23].tfrecord"
REVIEWS = "data/reviews/*/*.txt"


def files(pattern):
    return tf.data.Dataset.from_tensor_slices(sorted(glob.glob(pattern)))


def records():
    """The hundred records of the two smaller files of numbers."""
    return tf.data.TFRecordDataset(sorted(glob.glob(FEW)))


def few():
    """Their ids."""
    return records().map(ident)


def lines():
    return tf.data.TextLineDataset(sorted(glob.glob(TEXTS)))


def words():
    """The words of each line; the first is its number."""
    return lines().map(tf.strings.split)


def reviews():
    """Sixteen lines, each in a file of its own."""
    return tf.data.TextLineDataset(sorted(glob.glob(REVIEWS)))


def words_of_reviews():
    return reviews().map(tf.strings.split)


def fixed():
    return tf.data.FixedLengthRecordDataset(sorted(glob.glob(FIXED)), record_bytes=12, header_bytes=4, footer_bytes=2)
