"""The list of programs of the corpus, and what of each is compared. Needs no TensorFlow: `check_pipelines.py` reads it too."""

from dataclasses import dataclass
from typing import Callable, Optional

PROGRAMS = {}
UNIVERSES = {}


@dataclass(frozen=True)
class Program:
    """
    data      glob of the files it reads; '-': none
    unit      row: it yields batches, compared row by row along the leading dimension; element: what it yields is compared whole
    mirrored  components flipped by chance: the orientation whose left half is not the lighter one stands for both
    padded    components whose trailing zeroes are padding
    drawn     {component: (low, high)}: drawn by chance; type and shape are compared, and values lie within, ends included
    distinct  [(i, j)]: components of a row that are drawn independently and never equal
    spread    components of which more than half of the rows are distinct
    loose     components of which only type and shape behind the leading dimension are compared
    choice    which elements come is drawn: each row is one of those that the program's universe yields, and there are as many rows
    count     (low, high): how many rows there may be, ends included, where even that is drawn
    mixed     which elements stand together in one is decided by their order
    ordered   the order is part of the meaning: a single task keeps it
    refused   cannot run outside Python
    """

    name: str
    make: Callable
    family: str
    data: str
    unit: str = "row"
    mirrored: tuple = ()
    padded: tuple = ()
    drawn: tuple = ()
    distinct: tuple = ()
    spread: tuple = ()
    loose: tuple = ()
    choice: bool = False
    count: Optional[tuple] = None
    mixed: bool = False
    ordered: bool = False
    refused: bool = False

    def __post_init__(self):
        if self.unit not in ("row", "element"):
            raise ValueError(f"{self.name}: unit is row or element, not {self.unit}")
        if any(low > high for _, (low, high) in self.drawn) or (self.count and self.count[0] > self.count[1]):
            raise ValueError(f"{self.name}: bounds are (low, high)")
        drawn = {component for component, _ in self.drawn}
        if not drawn.issuperset({component for pair in self.distinct for component in pair}):
            raise ValueError(f"{self.name}: distinct components are drawn ones")


def program(family, data="-", *, unit="row", mirrored=(), padded=(), drawn=None, distinct=(), spread=(), loose=(), choice=False,
            count=None, mixed=False, ordered=False, refused=False):
    """Registers a function that gives a dataset; its name is the program's, unique over all modules."""

    def register(make):
        name = make.__name__
        if name in PROGRAMS:
            raise ValueError(f"two programs are named {name}")
        PROGRAMS[name] = Program(
            name, make, family, data, unit, tuple(mirrored), tuple(padded), tuple(sorted((drawn or {}).items())),
            tuple(map(tuple, distinct)), tuple(spread), tuple(loose), choice, count, mixed, ordered, refused)
        return make

    return register


def universe(name):
    """Registers a function that gives every element of which the program of that name may yield some."""

    def register(make):
        UNIVERSES[name] = make
        return make

    return register
