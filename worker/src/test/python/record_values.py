"""Records what Python yields for some of the pipelines, for a test to compare with what comes through a whole cluster.

    python record_values.py OUT             # OUT: the folder that make_pipelines.py made; writes OUT/values/NAME.jsonl

A file begins with a line that says how rows are to be read: `glob` (the data to give; '-': none), `mirrored` (components that
are flipped by chance: the orientation whose left half is not the lighter one stands for both), `padded` (components whose
trailing zeroes are padding). Then a line for each row of each batch, in order of its text: for each component its type, its
shape and its values; of more than 48 numbers their mean and 48 at equal distances.

Written with TensorFlow 2.18, the version of the engine: other versions decode JPEGs to other last bits.
"""

import json
import os
import sys

import make_pipelines as made
from elements import component, mirrored, slices, unpadded

RECORDED = {
    "flowers": {},
    "examples_big_map": {"mirrored": [0]},
    "text_bucketed": {"padded": [0, 1]},
    "jpeg_evaluation": {},
    "lookup_table": {},
    "padded_batch": {"padded": [0]},
    "strings": {},
    "text_lines": {},
    "type_bool": {},
    "type_uint8": {},
}


def rows(name, how):
    for element in made.MADE[name][0]().as_numpy_iterator():
        for row in slices(element):
            row = [mirrored(one) if i in how.get("mirrored", []) else one for i, one in enumerate(row)]
            row = [unpadded(one) if i in how.get("padded", []) else one for i, one in enumerate(row)]
            yield json.dumps([component(one) for one in row])


def main():
    os.chdir(sys.argv[1])
    os.makedirs("values", exist_ok=True)
    for name, how in RECORDED.items():
        head = {"glob": made.MADE[name][1], "mirrored": how.get("mirrored", []), "padded": how.get("padded", [])}
        with open(f"values/{name}.jsonl", "w") as out:
            print(json.dumps(head), file=out)
            for row in sorted(rows(name, how)):
                print(row, file=out)


if __name__ == "__main__":
    main()
