"""Programs that train and evaluate detectors of objects: Examples as COCO's, boxes in fractions of the picture."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program

OBJECTS = "data/objects-*.tfrecord"
MOST = 5


def records(training=False):
    files = tf.data.Dataset.list_files(OBJECTS, shuffle=training)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=3, num_parallel_calls=AUTO)


FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/source_id": tf.io.FixedLenFeature([], tf.string, ""),
    "image/height": tf.io.FixedLenFeature([], tf.int64),
    "image/width": tf.io.FixedLenFeature([], tf.int64),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
    "image/object/class/label": tf.io.VarLenFeature(tf.int64),
    "image/object/is_crowd": tf.io.VarLenFeature(tf.int64),
}


def parse(record):
    parsed = tf.io.parse_single_example(record, FEATURES)
    dense = {key: tf.sparse.to_dense(value) if isinstance(value, tf.SparseTensor) else value for key, value in parsed.items()}
    boxes = tf.stack([dense[f"image/object/bbox/{side}"] for side in ("ymin", "xmin", "ymax", "xmax")], axis=-1)
    return {
        "image": tf.io.decode_jpeg(dense["image/encoded"], channels=3),
        "id": tf.strings.to_number(dense["image/source_id"], tf.int64),
        "boxes": boxes,
        "classes": tf.cast(dense["image/object/class/label"], tf.int32),
        "crowd": tf.cast(dense["image/object/is_crowd"], tf.bool),
    }


def random_flip(image, boxes):
    def flipped():
        y1, x1, y2, x2 = tf.unstack(boxes, axis=-1)
        return image[:, ::-1], tf.stack([y1, 1.0 - x2, y2, 1.0 - x1], axis=-1)

    return tf.cond(tf.random.uniform([]) > 0.5, flipped, lambda: (image, boxes))


def filled(values, most=MOST, filler=0):
    values = values[:most]
    padding = [[0, most - tf.shape(values)[0]]] + [[0, 0]] * (values.shape.rank - 1)
    padded = tf.pad(values, padding, constant_values=filler)
    return tf.ensure_shape(padded, [most] + values.shape[1:].as_list())


def small(image, size=16):
    return tf.image.resize(tf.cast(image, tf.float32) / 255.0, [size, size])


@program("detection", data=OBJECTS, drawn={0: (-1, 1), 3: (0, 1)})
def retinanet_training():
    def preprocess(example):
        image, boxes = random_flip(example["image"], example["boxes"])
        y1, x1, y2, x2 = tf.unstack(boxes, axis=-1)
        return {"a_image": small(image), "id": example["id"], "classes": example["classes"],
                "xywh": tf.stack([(x1 + x2) / 2.0, (y1 + y2) / 2.0, x2 - x1, y2 - y1], axis=-1)}

    return (records(training=True).map(parse, num_parallel_calls=AUTO).map(preprocess, num_parallel_calls=AUTO)
            .shuffle(16)
            .padded_batch(4, {"a_image": [16, 16, 3], "id": [], "classes": [MOST], "xywh": [MOST, 4]},
                          {"a_image": 0.0, "id": np.int64(0), "classes": -1, "xywh": 1e-8}, drop_remainder=True)
            .prefetch(AUTO))


@program("detection", data=OBJECTS, padded=[0, 1])
def classes_and_crowds_padded():
    """No shapes are given: padded_batch takes them of the elements."""
    return (records().map(parse, num_parallel_calls=AUTO)
            .map(lambda e: {"classes": e["classes"], "crowd": tf.cast(e["crowd"], tf.uint8), "id": e["id"]})
            .padded_batch(4))


@program("detection", data=OBJECTS, padded=[0, 1])
def sparse_features_parsed_by_batches():
    spec = {key: FEATURES[key] for key in ("image/height", "image/object/bbox/xmin", "image/object/class/label")}

    def dense(parsed):
        return (tf.sparse.to_dense(parsed["image/object/class/label"]),
                tf.sparse.to_dense(parsed["image/object/bbox/xmin"]), parsed["image/height"])

    return tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(OBJECTS))).batch(6).map(
        lambda batch: dense(tf.io.parse_example(batch, spec)), num_parallel_calls=AUTO)


@program("detection", data=OBJECTS, drawn={1: (0, 1)})
def pictures_without_objects_left_out():
    return (records(training=True).map(parse, num_parallel_calls=AUTO)
            .filter(lambda e: tf.size(e["classes"]) > 0)
            .map(lambda e: (e["id"], random_flip(small(e["image"]), e["boxes"])[0], filled(e["classes"])))
            .shuffle(12).batch(4).prefetch(AUTO))


@program("detection", data=OBJECTS, drawn={1: (0, 1), 2: (0, 1), 3: (0, 8)}, spread=[1])
def ssd_crops():
    def crop(example):
        boxes = example["boxes"]
        begin, size, window = tf.image.sample_distorted_bounding_box(
            tf.shape(example["image"]), boxes[None], min_object_covered=0.3, aspect_ratio_range=(0.5, 2.0),
            area_range=(0.3, 1.0), use_image_if_no_bounding_boxes=True)
        y1, x1, y2, x2 = tf.unstack(window[0, 0])
        center = (boxes[:, :2] + boxes[:, 2:]) / 2.0
        kept = tf.reduce_all((center > [y1, x1]) & (center < [y2, x2]), axis=-1)
        moved = (boxes - tf.stack([y1, x1, y1, x1])) / tf.stack([y2 - y1, x2 - x1, y2 - y1, x2 - x1])
        moved = tf.clip_by_value(tf.boolean_mask(moved, kept), 0.0, 1.0)
        image = tf.slice(example["image"], begin, size)
        image.set_shape([None, None, 3])
        return example["id"], small(image), filled(moved), filled(tf.boolean_mask(example["classes"], kept))

    return (records(training=True).map(parse, num_parallel_calls=AUTO).map(crop, num_parallel_calls=AUTO)
            .batch(4).prefetch(AUTO))


@program("detection", data=OBJECTS, drawn={0: (0, 1)}, loose=[1], spread=[0])
def mosaic():
    """Which four pictures make one depends on the shuffle."""
    def four(images, classes):
        rows = tf.concat([tf.concat([images[0], images[1]], 1), tf.concat([images[2], images[3]], 1)], 0)
        return tf.image.random_crop(rows, [12, 12, 3]) * tf.random.uniform([], 0.5, 1.0), tf.reshape(classes, [4 * MOST])

    return (records(training=True).map(parse, num_parallel_calls=AUTO)
            .map(lambda e: (small(e["image"], 8), filled(e["classes"]))).shuffle(16)
            .batch(4, drop_remainder=True).map(four, num_parallel_calls=AUTO).batch(3).prefetch(AUTO))


def anchors(size=4):
    centers = (np.arange(size) + 0.5) / size
    y, x = np.meshgrid(centers, centers, indexing="ij")
    return np.stack([y - 0.2, x - 0.2, y + 0.2, x + 0.2], -1).reshape(-1, 4).astype(np.float32)


def overlaps(boxes, others):
    top_left = tf.maximum(boxes[:, None, :2], others[None, :, :2])
    bottom_right = tf.minimum(boxes[:, None, 2:], others[None, :, 2:])
    inner = tf.reduce_prod(tf.maximum(bottom_right - top_left, 0.0), -1)
    areas = [tf.reduce_prod(one[:, 2:] - one[:, :2], -1) for one in (boxes, others)]
    return inner / (areas[0][:, None] + areas[1][None, :] - inner + 1e-8)


@program("detection", data=OBJECTS)
def anchors_assigned_in_a_loop():
    grid = tf.constant(anchors(3))

    def assign(example):
        target = tf.zeros([9], tf.int32)
        for index in tf.range(tf.shape(example["boxes"])[0]):
            near = overlaps(grid, example["boxes"][index:index + 1])[:, 0] > 0.1
            target = tf.where(near, example["classes"][index], target)
        return example["id"], target

    return records().map(parse, num_parallel_calls=AUTO).map(assign, num_parallel_calls=AUTO).shuffle(36).batch(9)


@program("detection", data=OBJECTS)
def buckets_by_aspect_ratio():
    """As detectors group pictures that are high and pictures that are wide."""
    def key(example):
        shape = tf.shape(example["image"])
        return tf.cast(shape[0] > shape[1], tf.int64)

    return (records(training=True).map(parse, num_parallel_calls=AUTO)
            .map(lambda e: {"id": e["id"], "image": e["image"], "classes": filled(e["classes"])})
            .group_by_window(key, lambda _, window: window.map(
                lambda e: {**e, "image": tf.shape(e["image"])}).batch(4), window_size=4))


@program("detection", data=OBJECTS)
def crops_of_each_object():
    """A picture becomes as many crops as it has objects."""
    def crops(example):
        boxes = example["boxes"]
        cut = tf.image.crop_and_resize(
            tf.cast(example["image"], tf.float32)[None], boxes, tf.zeros([tf.shape(boxes)[0]], tf.int32), [2, 2])
        return tf.data.Dataset.from_tensor_slices((tf.cast(tf.round(cut), tf.uint8), example["classes"]))

    return records().map(parse, num_parallel_calls=AUTO).flat_map(crops).batch(8).prefetch(AUTO)


@program("detection", data=OBJECTS, refused=True)
def ragged_boxes():
    return (records().map(parse, num_parallel_calls=AUTO).map(lambda e: (e["id"], e["boxes"]))
            .ragged_batch(4))
