"""Writes the pipelines that name files within the folder of their program.

    python make_relative.py OUT

A test makes the files anew in a folder of its own, and workers run in another one. Written with TensorFlow 2.21.
"""

import os
import pathlib
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf

FILES = {"one.txt": "a\nb\n", "two.txt": "c\n", "words.txt": "x\ny\nz\n"}


def lines_beside_their_files():
    files = tf.data.Dataset.from_tensor_slices(["shelf/one.txt", "./shelf/two.txt"])
    return files.interleave(lambda file: tf.data.TextLineDataset(file).map(lambda line: tf.strings.join([file, line], " ")))


def contents_of_joined_names():
    return tf.data.Dataset.from_tensor_slices(["one", "two"]).map(
        lambda name: tf.strings.join([name, tf.io.read_file("shelf/" + name + ".txt")], " "))


def contents_of_labelled_files():
    files = tf.data.Dataset.from_tensor_slices((["shelf/one.txt", "shelf/two.txt"], ["first", "second"]))
    return files.map(lambda file, label: tf.strings.join([file, label, tf.io.read_file(file)], " "))


def words_of_a_vocabulary():
    rows = tf.lookup.TextFileInitializer(
        "shelf/words.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    table = tf.lookup.StaticHashTable(rows, -1)
    return tf.data.Dataset.from_tensor_slices(["z", "x", "w"]).map(lambda word: tf.strings.as_string(table.lookup(word)))


def files_that_match():
    return tf.data.Dataset.from_tensors("shelf/t*.txt").flat_map(
        lambda pattern: tf.data.Dataset.from_tensor_slices(tf.io.matching_files(pattern)))


def first_lines_of_all():
    return tf.data.TextLineDataset(["shelf/one.txt", "shelf/two.txt"]).take(2)


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1]).resolve()
    os.chdir(tempfile.mkdtemp())
    os.mkdir("shelf")
    for name, text in FILES.items():
        pathlib.Path("shelf", name).write_text(text)
    for make in (lines_beside_their_files, contents_of_joined_names, contents_of_labelled_files, words_of_a_vocabulary,
                 files_that_match, first_lines_of_all):
        dataset = make()
        out.joinpath(make.__name__ + ".pb").write_bytes(dataset._as_serialized_graph().numpy())
        print(make.__name__, sorted(one.decode() for one in dataset.as_numpy_iterator()))
