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
from tensorflow.python.data.experimental.ops.matching_files import MatchingFilesDataset

FILES = {"one.txt": "a\nb\n", "two.txt": "c\n", "words.txt": "x\ny\nz\n", "list.txt": "shelf/one.txt\nshelf/two.txt\n", "1.txt": "d\n", "2.txt": "e\n"}


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


def names_that_match():
    return MatchingFilesDataset(["shelf/o*.txt", "./shelf/t*.txt", "[12].txt", "shelf/../shelf/w*.txt"])


def names_that_patterns_in_a_list_match():
    def patterns():
        return tf.data.TextLineDataset("shelf/patterns.txt")

    inside = patterns().flat_map(MatchingFilesDataset)
    return inside.concatenate(patterns().flat_map(lambda each: tf.data.Dataset.from_tensor_slices(tf.io.matching_files(each))))


def lines_of_a_file_by_several_names():
    files = tf.data.Dataset.from_tensor_slices(["shelf/two.txt", "./shelf/two.txt", "shelf/../shelf/two.txt"])
    return files.interleave(lambda file: tf.data.TextLineDataset(file).map(lambda line: tf.strings.join([file, line], " ")))


def contents_of_a_file_by_several_names():
    files = tf.data.Dataset.from_tensor_slices(["shelf/two.txt", "./shelf/two.txt", "shelf/../shelf/two.txt"])
    return files.map(lambda file: tf.strings.join([file, tf.io.read_file(file)], " "))


def contents_of_files_in_a_list():
    return tf.data.TextLineDataset("shelf/list.txt").map(tf.io.read_file)


def lines_of_files_in_a_list():
    return tf.data.TextLineDataset("shelf/list.txt").flat_map(tf.data.TextLineDataset)


def contents_of_formatted_names():
    return tf.data.Dataset.range(1, 3).map(lambda i: tf.strings.format("shelf/{}.txt", i)).map(tf.io.read_file)


def contents_of_numbered_files():
    return tf.data.Dataset.range(1, 3).map(lambda i: tf.strings.as_string(i) + ".txt").map(tf.io.read_file)


def contents_of_chosen_names():
    def chosen(i):
        return tf.constant(["shelf/one.txt", "shelf/two.txt"])[i]

    return tf.data.Dataset.range(2).map(chosen).map(tf.io.read_file)


def contents_of_names_in_a_table():
    names = tf.lookup.KeyValueTensorInitializer(tf.constant([0, 1], tf.int64), tf.constant(["shelf/one.txt", "shelf/two.txt"]))
    table = tf.lookup.StaticHashTable(names, "shelf/none.txt")
    return tf.data.Dataset.range(2).map(table.lookup).map(tf.io.read_file)


def first_lines_of_all():
    return tf.data.TextLineDataset(["shelf/one.txt", "shelf/two.txt"]).take(2)


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1]).resolve()
    os.chdir(tempfile.mkdtemp())
    os.mkdir("shelf")
    for name, text in FILES.items():
        pathlib.Path("shelf", name).write_text(text)
        pathlib.Path(name).write_text("beside the shelf: " + text)
    pathlib.Path("shelf", "patterns.txt").write_text(f"shelf/o*.txt\n{os.getcwd()}/shelf/t*.txt\n")
    for make in (lines_beside_their_files, contents_of_joined_names, contents_of_labelled_files, words_of_a_vocabulary,
                 files_that_match, names_that_match, names_that_patterns_in_a_list_match, lines_of_a_file_by_several_names,
                 contents_of_a_file_by_several_names, first_lines_of_all, contents_of_files_in_a_list, lines_of_files_in_a_list,
                 contents_of_formatted_names, contents_of_numbered_files, contents_of_chosen_names,
                 contents_of_names_in_a_table):
        dataset = make()
        out.joinpath(make.__name__ + ".pb").write_bytes(dataset._as_serialized_graph().numpy())
        print(make.__name__, sorted(one.decode() for one in dataset.as_numpy_iterator()))
