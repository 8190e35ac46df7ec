"""Serialises a part of the corpus with the TensorFlow that runs this, whichever it is.

    python make_versions.py OUT     # OUT: worker/src/test/resources/versions

Written are OUT/tfNNN/NAME.pb for every program below, NNN being the version, such as 215. Graphs that are but for names those of
2.18, which lie in the corpus, or those of another version that is kept, are to be removed again: OtherVersionsTest names them.
"""

import argparse
import importlib
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf

from make_corpus import fresh_folder
from programs import PROGRAMS

# by module: of each family two exact programs and one that draws, as far as there are; what holds the other dataset ops, without
# those that write files; and what versions write in more than two ways
VERSIONED = {
    "audio": ("records_dithered", "records_of_samples", "windows_of_samples"),
    "bert": ("bert_parsed_by_batches", "next_sentences", "order_of_sentences"),
    "classification": ("flowers_training_part", "flowers_validation_part", "imagenet_jpeg_quality", "imagenet_training"),
    "contrastive": ("triplets",),
    "csv_files": ("csv_dataset", "made_and_errors_ignored"),
    "detection": ("buckets_by_aspect_ratio", "crops_of_each_object", "retinanet_training"),
    "guides": ("batching", "random_dataset", "shuffled_lines_and_their_places"),
    "ops_batch": ("batch_parallel_unordered", "group_reduced", "map_and_batch_fused_parallel", "rebatch_larger", "rebatch_legacy",
                  "sparse_batch_to_dense", "window_reduced"),
    "ops_combined": ("choose_of_ranges", "flat_map_enumerated_inside", "unique_applied"),
    "ops_map": ("captured_numpy_matrix", "map_synchronous", "single_element_inside_map"),
    "ops_order": ("cardinality_asserted", "named_steps", "options_of_slack", "prefetch_everywhere", "shuffle_and_repeat_fused",
                  "snapshot_applied", "take_while_lines"),
    "ops_rare": ("cardinality_in_map", "intra_op_parallelism", "next_asserted", "optional_in_map", "previous_two_asserted", "sampled",
                 "shuffled_globally", "sleeps", "snapshot_legacy", "table_from_dataset", "thread_pool_private"),
    "ops_sources": ("examples_parsed_in_batches", "list_of_elements", "names_matched", "slices_of_sparse_legacy"),
    "series": ("integers_in_windows", "next_step_by_batch", "windows_at_drawn_places"),
    "t5": ("characters", "chunks_over_files", "prefix_language_model"),
    "tabular": ("columns_swapped", "shard_of_files", "table_normalised", "table_of_buckets"),
    "video": ("every_second_frame", "labels_parsed_by_batches", "long_videos_only"),
}

# what older versions cannot write, by the first that can: map had no `synchronous`, there was no global shuffle
SINCE = {"map_synchronous": 218, "shuffled_globally": 217}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out")
    given = arguments.parse_args()
    version = int("".join(tf.__version__.split(".")[:2]))
    out = os.path.join(os.path.abspath(given.out), f"tf{version}")
    data = os.path.join(os.path.dirname(os.path.dirname(out)), "pipelines", "data")
    os.makedirs(out, exist_ok=True)
    tf.get_logger().setLevel("ERROR")
    for module, names in VERSIONED.items():
        importlib.import_module(f"corpus.{module}")
        for name in names:
            if SINCE.get(name, version) > version:
                continue
            tf.random.set_seed(None)
            with fresh_folder(data):
                graph = PROGRAMS[name].make()._as_serialized_graph().numpy()
            with open(os.path.join(out, f"{name}.pb"), "wb") as opened:
                opened.write(graph)


if __name__ == "__main__":
    main()
