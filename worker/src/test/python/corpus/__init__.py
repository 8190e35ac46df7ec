"""The corpus: tf.data programs as people write them, and what may be asked of their elements when Praline has run them.

A module holds the programs of a theme, each a function that gives a dataset; `make_corpus.py` serialises them and records what
Python yields. All paths are relative to the folder of data files, so that a program runs where `make_data.py` wrote.
"""

from make_pipelines import (AUTO, EXAMPLES, FEATURES, FIXED, FLOWERS, JPEGS, NUMBERS, TEXTS, examples, ident, ids, numbers,  # noqa: F401
                            parsed)
from programs import program, universe  # noqa: F401
