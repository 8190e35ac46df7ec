"""The messages between this package and its Java process, as io.praline.deploy.feed describes them."""

from __future__ import annotations

import struct

OPEN, WAITING, TAKEN, ACKNOWLEDGED, FREED, STATUS, RESULT, CANCEL, CLOSE, EXPLAIN = range(1, 11)
OPENED, COMPONENTS, OFFERED, END, TOLD_STATUS, TOLD_RESULT, ERROR, CLOSED, EXPLAINED, SEGMENT, WAITS = range(1, 12)

HEAD = struct.Struct("<iB")
NUMBERED = struct.Struct("<iBq")
ASKED = struct.Struct("<iBqiBq")
#: number, epoch, elements, place, components, offset, bytes, tickets
OFFER = struct.Struct("<qiqBHqqi")
#: dtype, rank, offset, bytes
COMPONENT = struct.Struct("<BBqq")
#: where an offer's bytes are, behind its epoch and elements
OFFER_PLACE = 20
FOLLOWS, IN_SEGMENT = 1, 2
#: id, bytes
SEGMENT_HEAD = struct.Struct("<qq")
SEGMENT_ID = struct.Struct("<q")
DIMENSIONS = [struct.Struct(f"<{rank}q") for rank in range(256)]


def message(kind: int, body: bytes = b"") -> bytes:
    """A command."""
    return HEAD.pack(1 + len(body), kind) + body


def numbered(kind: int, number: int) -> bytes:
    """A command about a batch."""
    return NUMBERED.pack(9, kind, number)


def asked(done: int, taken: int) -> bytes:
    """Commands of the loop's question: it is done with one batch, and takes another."""
    return ASKED.pack(9, ACKNOWLEDGED, done, 9, TAKEN, taken)


IS_WAITING = message(WAITING)
