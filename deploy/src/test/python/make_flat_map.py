# Makes flat-map.pb of io.praline.deploy.chaos.trainer with TensorFlow 2.18: three numbers of each record, whose first eight bytes are its own number.
import tensorflow as tf


def numbers(record):
    number = tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0]
    return tf.data.Dataset.range(3).map(lambda i: number * 3 + i)


ds = tf.data.TFRecordDataset(["data"]).flat_map(numbers).batch(32)
open("flat-map.pb", "wb").write(ds._as_serialized_graph().numpy())
