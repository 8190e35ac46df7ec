"""Sources: files of every kind, constants, ranges, lists of names."""

import glob

import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import from_list, matching_files

from corpus import AUTO, EXAMPLES, FIXED, FLOWERS, NUMBERS, TEXTS, ident, program, universe
from corpus.sources import FEW, files, fixed, lines

GZIP = "data/gzip-*.tfrecord.gz"
ZLIB = "data/zlib-*.tfrecord.zlib"
PEOPLE = "data/people-*.csv"


@program("ops", NUMBERS)
def tfrecords():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)), buffer_size=1 << 16).map(ident).batch(8)


@program("ops", FEW, unit="element")
def tfrecords_raw():
    return tf.data.TFRecordDataset(sorted(glob.glob(FEW)))


@program("ops", GZIP)
def tfrecords_gzip():
    return tf.data.TFRecordDataset(sorted(glob.glob(GZIP)), compression_type="GZIP").map(ident).batch(8)


@program("ops", ZLIB)
def tfrecords_zlib():
    return tf.data.TFRecordDataset(sorted(glob.glob(ZLIB)), compression_type="ZLIB").map(ident).batch(8)


@program("ops", NUMBERS)
def tfrecords_parallel_reads():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)), num_parallel_reads=3).map(ident).batch(8)


@program("ops", NUMBERS)
def tfrecords_parallel_reads_auto():
    return tf.data.TFRecordDataset(sorted(glob.glob(NUMBERS)), num_parallel_reads=AUTO).map(ident).batch(8)


@program("ops", GZIP)
def tfrecords_gzip_parallel():
    return tf.data.TFRecordDataset(sorted(glob.glob(GZIP)), "GZIP", num_parallel_reads=2).map(ident).shuffle(20).batch(8)


@program("ops", NUMBERS)
def tfrecords_of_listed_files():
    return tf.data.TFRecordDataset(tf.data.Dataset.list_files(NUMBERS, shuffle=False)).map(ident).batch(8)


@program("ops", "data/numbers-00002.tfrecord")
def tfrecords_one_file():
    return tf.data.TFRecordDataset("data/numbers-00002.tfrecord").map(ident).batch(8)


@program("ops", TEXTS)
def text_of_files():
    return lines().batch(8)


@program("ops", TEXTS)
def text_parallel_reads():
    return tf.data.TextLineDataset(sorted(glob.glob(TEXTS)), num_parallel_reads=2).batch(8)


@program("ops", PEOPLE)
def text_headers_skipped():
    return files(PEOPLE).interleave(lambda f: tf.data.TextLineDataset(f).skip(1), cycle_length=3).batch(8)


@program("ops", PEOPLE)
def text_headers_skipped_by_flat_map():
    return files(PEOPLE).flat_map(lambda f: tf.data.TextLineDataset(f).skip(1)).batch(8)


@program("ops", PEOPLE)
def text_comments_filtered():
    return files(PEOPLE).flat_map(
        lambda f: tf.data.TextLineDataset(f).skip(1).filter(lambda line: tf.not_equal(tf.strings.substr(line, 0, 1), "1"))).batch(8)


@program("ops", "data/people-00000.csv")
def text_one_header_skipped():
    return tf.data.TextLineDataset("data/people-00000.csv").skip(1).batch(8)


@program("ops", PEOPLE)
def text_decoded_csv():
    defaults = [tf.constant([], tf.int64), "?", "0.0", "", "no", np.int64(0)]
    return files(PEOPLE).interleave(lambda f: tf.data.TextLineDataset(f).skip(1), num_parallel_calls=AUTO, cycle_length=2).map(
        lambda line: tf.io.decode_csv(line, defaults), num_parallel_calls=AUTO).batch(8)


@program("ops", FIXED, unit="element")
def fixed_length_raw():
    return fixed()


@program("ops", FIXED)
def fixed_length_header_footer():
    return fixed().map(ident).batch(8)


@program("ops", FIXED)
def fixed_length_decoded():
    return fixed().map(lambda r: (ident(r), tf.io.decode_raw(tf.strings.substr(r, 8, 4), tf.float32)[0])).batch(8)


@program("ops", "data/cifar-*.bin")
def fixed_length_plain():
    return tf.data.FixedLengthRecordDataset(sorted(glob.glob("data/cifar-*.bin")), 193).map(
        lambda r: tf.io.decode_raw(r, tf.uint8)[:5]).batch(8)


@program("ops", FIXED)
def fixed_length_interleaved():
    return files(FIXED).interleave(
        lambda f: tf.data.FixedLengthRecordDataset(f, 12, header_bytes=4, footer_bytes=2), cycle_length=2).map(ident).batch(8)


@program("ops", PEOPLE)
def csv_columns():
    return tf.data.experimental.CsvDataset(
        sorted(glob.glob(PEOPLE)), [tf.int64, tf.constant([-1], tf.int64), tf.constant([""], tf.string)], header=True,
        select_cols=[0, 1, 3]).batch(8)


@program("ops", "data/iris-*.csv")
def csv_all_columns():
    return tf.data.experimental.CsvDataset(sorted(glob.glob("data/iris-*.csv")), [tf.float32] * 4 + [tf.int32]).map(
        lambda a, b, c, d, kind: (tf.stack([a, b, c, d]), kind)).batch(8)


@program("ops", "data/wine-*.csv")
def csv_semicolons():
    return tf.data.experimental.CsvDataset(
        sorted(glob.glob("data/wine-*.csv")), [tf.int64, tf.constant([-1.0]), tf.constant(["none"])], header=True, field_delim=";",
        na_value="NA").shuffle(10).batch(8)


@program("ops", PEOPLE)
def csv_interleaved():
    return files(PEOPLE).interleave(
        lambda f: tf.data.experimental.CsvDataset(f, [tf.int64], header=True, select_cols=[0]), cycle_length=2).batch(8)


@program("ops", PEOPLE)
def csv_made():
    return tf.data.experimental.make_csv_dataset(
        PEOPLE, batch_size=8, select_columns=["id", "age", "label"], column_defaults=[tf.int64, tf.constant([-1], tf.int64), tf.int64],
        label_name="label", num_epochs=1, shuffle=False)


@program("ops", PEOPLE)
def csv_made_shuffled():
    return tf.data.experimental.make_csv_dataset(
        PEOPLE, batch_size=8, select_columns=["id", "city"], column_defaults=[tf.int64, tf.string], num_epochs=1,
        shuffle_buffer_size=50, num_parallel_reads=2, sloppy=True)


SPEC = {"label": tf.io.FixedLenFeature([], tf.int64), "weight": tf.io.FixedLenFeature([], tf.float32, 1.0)}


@program("ops", EXAMPLES)
def batched_features():
    return tf.data.experimental.make_batched_features_dataset(
        EXAMPLES, batch_size=8, features=SPEC, num_epochs=1, shuffle=False)


@program("ops", EXAMPLES)
def batched_features_shuffled():
    return tf.data.experimental.make_batched_features_dataset(
        EXAMPLES, batch_size=8, features=SPEC, label_key="label", num_epochs=1, shuffle_buffer_size=60, reader_num_threads=2)


@program("ops", EXAMPLES)
def examples_parsed_in_batches():
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).batch(8).apply(
        tf.data.experimental.parse_example_dataset(SPEC, num_parallel_calls=2))


@program("ops", EXAMPLES)
def examples_parsed_unordered():
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).shuffle(30).batch(8).apply(
        tf.data.experimental.parse_example_dataset(SPEC, num_parallel_calls=AUTO, deterministic=False))


@program("ops", NUMBERS)
def record_dataset_made():
    from tensorflow.python.data.experimental.ops import readers

    return readers.make_tf_record_dataset(
        NUMBERS, batch_size=8, parser_fn=ident, num_epochs=1, shuffle=False, num_parallel_reads=2, drop_final_batch=False)


@program("ops", FLOWERS)
def names_listed():
    return tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False).batch(4)


@program("ops", FLOWERS)
def names_listed_shuffled():
    return tf.data.Dataset.list_files("data/flowers/*/*").batch(4)


@program("ops", FLOWERS)
def names_listed_seeded():
    return tf.data.Dataset.list_files(FLOWERS, shuffle=True, seed=3).batch(4)


@program("ops", FLOWERS)
def names_listed_contents():
    return tf.data.Dataset.list_files(["data/flowers/rose/*", "data/flowers/tulip/*"], shuffle=False).map(
        lambda f: (f, tf.strings.length(tf.io.read_file(f)))).batch(4)


@program("ops", FLOWERS)
def names_from_slices_contents():
    return files(FLOWERS).shuffle(24).map(
        lambda f: (tf.strings.split(f, "/")[-2], tf.strings.length(tf.io.read_file(f))), num_parallel_calls=AUTO).batch(4)


@program("ops", FLOWERS)
def names_matched():
    return matching_files.MatchingFilesDataset("data/flowers/rose/*.jpg").batch(4)


@program("ops", TEXTS)
def names_matched_and_read():
    return matching_files.MatchingFilesDataset(TEXTS).flat_map(tf.data.TextLineDataset).batch(8)


@program("ops")
def tensor_one():
    return tf.data.Dataset.from_tensors(tf.constant([1, 2, 3])).batch(1)


@program("ops")
def tensor_one_repeated():
    return tf.data.Dataset.from_tensors({"a": 1, "b": [2.0, 3.0]}).repeat(20).batch(8)


@program("ops")
def slices_of_numbers():
    return tf.data.Dataset.from_tensor_slices(np.arange(90, dtype=np.int64) * 3).batch(8)


@program("ops")
def slices_of_matrix_and_labels():
    return tf.data.Dataset.from_tensor_slices((np.arange(160, dtype=np.float32).reshape(40, 4), np.arange(40) % 3)).batch(8)


@program("ops")
def slices_of_dictionary():
    return tf.data.Dataset.from_tensor_slices({"x": np.arange(50), "y": np.linspace(0, 1, 50)}).shuffle(50).batch(8)


@program("ops")
def slices_nested():
    return tf.data.Dataset.from_tensor_slices(
        ({"a": np.arange(30), "b": (np.ones([30, 2]), np.zeros([30, 1], np.uint8))}, np.arange(30) % 2 == 0)).batch(7)


@program("ops")
def slices_of_many_types():
    ns = np.arange(24)
    return tf.data.Dataset.from_tensor_slices(tuple(
        ns.astype(kind) for kind in (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.float16, np.float32, np.float64))).batch(6)


@program("ops")
def slices_of_words():
    return tf.data.Dataset.from_tensor_slices([f"word {n}" for n in range(60)]).batch(8)


@program("ops")
def slices_of_dates():
    return tf.data.Dataset.from_tensor_slices([f"2024/{1 + n % 12:02d}/{1 + n % 28:02d}" for n in range(84)]).batch(8)


@program("ops")
def slices_of_addresses():
    return tf.data.Dataset.from_tensor_slices([f"https://example.org/{n % 7}/{n}.html" for n in range(70)]).map(
        lambda address: (address, tf.strings.split(address, "/")[-1])).batch(8)


@program("ops")
def slices_of_paths_as_labels():
    return tf.data.Dataset.from_tensor_slices(([f"/data/{n}.png" for n in range(40)], np.arange(40))).shuffle(8).map(
        lambda path, n: (tf.strings.regex_replace(path, ".*/", ""), n)).batch(8)


@program("ops")
def slices_of_sparse():
    sparse = tf.sparse.SparseTensor([[0, 0], [1, 2], [3, 1], [3, 3]], [1, 2, 3, 4], [5, 4])
    return tf.data.Dataset.from_tensor_slices(sparse).map(tf.sparse.to_dense).batch(2)


@program("ops")
def slices_of_sparse_legacy():
    sparse = tf.sparse.SparseTensor([[0, 0], [1, 2], [3, 1], [3, 3]], [1, 2, 3, 4], [5, 4])
    return tf.compat.v1.data.Dataset.from_sparse_tensor_slices(sparse).map(
        lambda indices, values, shape: tf.reduce_sum(values)).batch(2)


@program("ops")
def slices_of_sparse_legacy_vectors():
    sparse = tf.sparse.from_dense(np.diag(np.arange(1, 13)))
    return tf.compat.v1.data.Dataset.from_sparse_tensor_slices(sparse).map(
        lambda indices, values, shape: tf.scatter_nd(indices, values, shape)).batch(5)


@program("ops")
def slices_of_ragged():
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [], [3], [4, 5, 6]])).map(
        lambda row: row.to_tensor() if isinstance(row, tf.RaggedTensor) else tf.reduce_sum(row)).batch(2)


@program("ops")
def list_of_elements():
    return from_list.from_list([(n, f"n{n}") for n in range(20)]).batch(4)


@program("ops")
def list_of_dictionaries():
    return from_list.from_list([{"a": n, "b": [n, n]} for n in range(20)]).shuffle(5).batch(4)


@program("ops")
def range_to():
    return tf.data.Dataset.range(100).batch(8)


@program("ops")
def range_from_to():
    return tf.data.Dataset.range(20, 120).map(lambda n: n * n).batch(8)


@program("ops")
def range_by_steps():
    return tf.data.Dataset.range(5, 500, 7).shuffle(16).batch(8)


@program("ops")
def range_backwards():
    return tf.data.Dataset.range(60, 0, -2).batch(8)


@program("ops")
def range_of_int32():
    return tf.data.Dataset.range(0, 50, output_type=tf.int32).batch(8)


@program("ops")
def range_of_floats():
    return tf.data.Dataset.range(0, 40, 2, output_type=tf.float32).batch(8)


@program("ops")
def counter_taken():
    return tf.data.Dataset.counter().take(50).batch(8)


@program("ops")
def counter_by_steps():
    return tf.data.Dataset.counter(start=10, step=-3, dtype=tf.int32).take(40).batch(8)


@program("ops", unit="element")
def random_numbers_seeded():
    return tf.data.Dataset.random(seed=4).take(20)


@program("ops", drawn={0: (0, 4294967296)}, spread=[0])
def random_numbers():
    return tf.data.Dataset.random().take(60).batch(8)


@program("ops", drawn={0: (0, 9)})
def random_numbers_each_epoch():
    return tf.data.Dataset.random(seed=2, rerandomize_each_iteration=True).map(lambda n: n % 10).take(40).batch(8)


@program("ops", "-", refused=True)
def generated():
    return tf.data.Dataset.from_generator(lambda: iter(range(20)), output_signature=tf.TensorSpec([], tf.int32)).batch(4)


@program("ops", "-", refused=True)
def generated_and_interleaved():
    return tf.data.Dataset.range(3).interleave(lambda n: tf.data.Dataset.from_generator(
        lambda k: range(k), args=(n,), output_signature=tf.TensorSpec([], tf.int32))).batch(4)


@program("ops", FEW, refused=True)
def mapped_in_python():
    return tf.data.TFRecordDataset(sorted(glob.glob(FEW))).map(
        lambda r: tf.py_function(lambda b: len(b.numpy()), [r], tf.int32)).batch(8)


@program("ops", unit="row", choice=True, count=(1, 16))
def random_numbers_chosen():
    return tf.data.Dataset.range(16).filter(lambda n: tf.random.uniform([]) < 0.7).batch(4)


@universe("random_numbers_chosen")
def random_numbers_chosen_from():
    return tf.data.Dataset.range(16).batch(4)
