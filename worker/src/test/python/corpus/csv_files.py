"""Programs that read tables: make_csv_dataset and its options, CsvDataset, lines that are parsed by a map."""

import tensorflow as tf

from corpus import AUTO, program

PEOPLE = "data/people-0000[02].csv"
IRIS = "data/iris-*.csv"
WINE = "data/wine-*.csv"
COLUMNS = ["id", "age", "income", "city", "married", "label"]
TYPES = [tf.int64, -1, 0.0, "", "", tf.int32]
DEFAULTS = [[0], [-1], [0.0], [""], [""], [0]]


def files(pattern):
    return sorted(tf.io.gfile.glob(pattern))


# ---------------------------------------------------------------------------------------------------- make_csv_dataset


@program("csv", data=PEOPLE)
def made_in_order():
    return tf.data.experimental.make_csv_dataset(PEOPLE, batch_size=8, label_name="label", num_epochs=1, shuffle=False)


@program("csv", data=PEOPLE)
def made_and_shuffled():
    return tf.data.experimental.make_csv_dataset(
        files(PEOPLE), batch_size=12, label_name="label", select_columns=["id", "income", "label"], num_epochs=1,
        shuffle=True, shuffle_buffer_size=50, shuffle_seed=3)


@program("csv", data=PEOPLE)
def made_sloppily():
    return tf.data.experimental.make_csv_dataset(
        PEOPLE, batch_size=16, select_columns=["id", "married"], column_defaults=[tf.int64, tf.string], num_epochs=1, sloppy=True,
        num_parallel_reads=3, prefetch_buffer_size=2)


@program("csv", data=WINE)
def made_of_semicolons():
    return tf.data.experimental.make_csv_dataset(
        files(WINE), batch_size=6, field_delim=";", na_value="NA", column_defaults=[tf.int32, -1.0, "none"],
        num_epochs=1, shuffle=False, num_rows_for_inference=10)


@program("csv", data=WINE)
def made_and_errors_ignored():
    """'NA' is no number: the rows that have it are left out."""
    return tf.data.experimental.make_csv_dataset(
        WINE, batch_size=5, field_delim=";", column_defaults=[tf.int32, tf.float32, tf.string], num_epochs=1, shuffle=False,
        ignore_errors=True)


@program("csv", data=PEOPLE)
def made_and_unbatched():
    people = tf.data.experimental.make_csv_dataset(
        PEOPLE, batch_size=10, select_columns=["id", "city", "label"], num_epochs=1, shuffle=False)
    return people.unbatch().filter(lambda row: row["city"] != "Jena").shuffle(30).batch(8).prefetch(AUTO)


# --------------------------------------------------------------------------------------------------------- CsvDataset


@program("csv", data="data/people-00001.csv")
def csv_dataset():
    return tf.data.experimental.CsvDataset(["data/people-00001.csv"], DEFAULTS, header=True).batch(8)


@program("csv", data=PEOPLE)
def csv_dataset_of_some_columns():
    def read(file):
        return tf.data.experimental.CsvDataset(file, [tf.int64, tf.string], header=True, select_cols=[0, 3])

    return (tf.data.Dataset.list_files(PEOPLE).interleave(read, cycle_length=3, block_length=2, num_parallel_calls=AUTO)
            .map(lambda number, city: {"city": tf.strings.upper(city), "id": number}, num_parallel_calls=AUTO)
            .batch(16).prefetch(AUTO))


@program("csv", data=WINE)
def csv_dataset_with_missing():
    return tf.data.experimental.CsvDataset(
        files(WINE), [tf.int32, tf.constant([-1.0]), tf.constant(["?"])], header=True, field_delim=";",
        na_value="NA").shuffle(20, seed=2).batch(7)


@program("csv", data=IRIS)
def csv_dataset_stacked():
    rows = tf.data.experimental.CsvDataset(files(IRIS), [tf.float32] * 4 + [tf.int32])
    return (rows.map(lambda *row: (tf.stack(row[:4]), tf.one_hot(row[4], 3)), num_parallel_calls=AUTO)
            .shuffle(90).batch(10, drop_remainder=True).prefetch(AUTO))


@program("csv", data=PEOPLE)
def csv_dataset_of_quotes():
    """Fields with commas and quotes in them; those that are empty take a default."""
    return (tf.data.Dataset.from_tensor_slices(files(PEOPLE))
            .flat_map(lambda file: tf.data.experimental.CsvDataset(
                file, [tf.int32, tf.constant([-1]), tf.string], header=True, select_cols=[0, 1, 3], buffer_size=1024))
            .filter(lambda number, age, city: tf.strings.regex_full_match(city, '.*[,"].*')).batch(6))


# --------------------------------------------------------------------------------------------------- lines and a map


def decode(line):
    return dict(zip(COLUMNS, tf.io.decode_csv(line, [tf.constant(one) for one in DEFAULTS])))


@program("csv", data=PEOPLE)
def lines_without_headers():
    return (tf.data.Dataset.list_files(PEOPLE, seed=1)
            .interleave(lambda file: tf.data.TextLineDataset(file).skip(1), cycle_length=3, num_parallel_calls=AUTO)
            .map(decode, num_parallel_calls=AUTO).map(lambda row: {name: row[name] for name in ("id", "income", "city")})
            .batch(10).prefetch(AUTO))


@program("csv", data=PEOPLE)
def lines_of_flat_map():
    """The guide's: a file after the other, each without its first line."""
    lines = tf.data.Dataset.from_tensor_slices(files(PEOPLE)).flat_map(lambda file: tf.data.TextLineDataset(file).skip(1))
    return lines.filter(lambda line: tf.strings.regex_full_match(line, ".*,1")).map(decode).batch(4)


@program("csv", data=PEOPLE)
def headers_filtered():
    """A header is known by its first letter."""
    lines = tf.data.TextLineDataset(files(PEOPLE))
    return (lines.filter(lambda line: tf.not_equal(tf.strings.substr(line, 0, 1), "i"))
            .map(lambda line: decode(line)["id"], num_parallel_calls=AUTO).batch(16, drop_remainder=False))


@program("csv", data=IRIS)
def lines_parsed_by_batches():
    def parse(lines):
        columns = tf.io.decode_csv(lines, [[0.0]] * 4 + [[0]])
        return tf.stack(columns[:4], axis=1), columns[4]

    return tf.data.TextLineDataset(files(IRIS)).batch(12).map(parse, num_parallel_calls=AUTO).prefetch(AUTO)


@program("csv", data=PEOPLE)
def a_part_of_each_file():
    """The first rows of a file are for validation, the others to train with."""
    def training(file):
        return tf.data.TextLineDataset(file).skip(1 + 10)

    return (tf.data.Dataset.from_tensor_slices(files(PEOPLE)).interleave(training, cycle_length=3, deterministic=False,
                                                                        num_parallel_calls=AUTO)
            .map(decode, num_parallel_calls=AUTO).map(lambda row: (row["id"], row["income"])).batch(15))
