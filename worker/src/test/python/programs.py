"""The list of programs of the corpus, and what of each is compared. Needs no TensorFlow: `check_pipelines.py` reads it too."""

import json
from dataclasses import dataclass, fields
from typing import Callable, Optional

PROGRAMS = {}
UNIVERSES = {}


@dataclass(frozen=True)
class Program:
    """
    data      glob of the files it reads; '-': none
    unit      row: it yields batches, compared row by row along the leading dimension; element: what it yields is compared whole
    mirrored  components flipped by chance: the orientation whose left half is not the lighter one stands for both
    padded    components whose trailing zeroes, or empty strings, are padding
    drawn     {component: (low, high)}: drawn by chance; type and shape are compared, and values lie within, ends included
    distinct  [(i, j)]: components of a row that are drawn independently and never equal
    spread    components of which more than half of the rows are distinct
    loose     components of which only type and shape behind the leading dimension are compared
    choice    which elements come is drawn: each row is one of those that the program's universe yields, and there are as many rows
    count     (low, high): how many rows there may be, ends included, where even that is drawn
    mixed     which elements stand together in one is decided by their order: exact where one task ran, type and shape where several did
    ordered   the order is part of the meaning: a single task keeps it
    refused   cannot run outside Python
    empty     yields nothing
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
    empty: bool = False

    def __post_init__(self):
        if self.unit not in ("row", "element"):
            raise ValueError(f"{self.name}: unit is row or element, not {self.unit}")
        if any(low > high for _, (low, high) in self.drawn) or (self.count and self.count[0] > self.count[1]):
            raise ValueError(f"{self.name}: bounds are (low, high)")
        drawn = dict(self.drawn)
        if not drawn.keys() >= {component for pair in self.distinct for component in pair} | set(self.spread):
            raise ValueError(f"{self.name}: distinct and spread components are drawn ones")

    @classmethod
    def of(cls, name, make, family, data="-", *, drawn=None, **named):
        """With lists where tuples are kept, and a dictionary of what is drawn."""
        named = {option: tuple(map(tuple_of, value)) if isinstance(value, (list, tuple)) else value for option, value in named.items()}
        return cls(name, make, family, data, drawn=tuple(sorted((drawn or {}).items())), **named)

    def options(self):
        """What is set beside the defaults, as JSON has it."""
        given = {field.name: getattr(self, field.name) for field in fields(self)[5:] if getattr(self, field.name) != field.default}
        return given | ({"drawn": {str(component): bounds for component, bounds in self.drawn}} if self.drawn else {})

    def head(self):
        """The first line of its file of values."""
        return {"family": self.family, "glob": self.data, "unit": self.unit} | self.options()

    def compared(self):
        """What is compared, in words of the list."""
        words = [f"{name} {said(value)}" if value is not True else name for name, value in self.options().items()]
        return "; ".join([{"row": "rows", "element": "elements"}[self.unit]] + words)


def tuple_of(value):
    return tuple(value) if isinstance(value, list) else value


def said(value):
    return json.dumps(value).replace('"', "")


def program(*given, **named):
    """Registers a function that gives a dataset; its name is the program's, unique over all modules. Arguments are those of `Program.of`."""

    def register(make):
        made = Program.of(make.__name__, make, *given, **named)
        if made.name in PROGRAMS:
            raise ValueError(f"two programs are named {made.name}")
        PROGRAMS[made.name] = made
        return make

    return register


def universe(name):
    """Registers a function that gives every element of which the program of that name may yield some."""

    def register(make):
        UNIVERSES[name] = make
        return make

    return register
