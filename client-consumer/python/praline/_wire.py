"""The messages between this package and its Java process, as io.praline.deploy.feed describes them."""

from __future__ import annotations

import struct

OPEN, WAITING, TAKEN, ACKNOWLEDGED, FREED, STATUS, RESULT, CANCEL, CLOSE, EXPLAIN, RENEW = range(1, 12)
OPENED, COMPONENTS, OFFERED, END, TOLD_STATUS, TOLD_RESULT, ERROR, CLOSED, EXPLAINED, SEGMENT, WAITS, LEASE = range(1, 13)

HEAD = struct.Struct("<iB")
NUMBERED = struct.Struct("<iBq")
ASKED = struct.Struct("<iBqiBq")
FREED_AND_ASKED = struct.Struct("<iBqiBqiBq")
#: number, epoch, elements, place, components, offset, bytes, tickets, and the lease's end by both clocks
OFFER = struct.Struct("<qiqBHqqiqq")
#: dtype, rank, offset, bytes
COMPONENT = struct.Struct("<BBqq")
#: where an offer's bytes are, behind its epoch and elements
OFFER_PLACE = 20
FOLLOWS, IN_SEGMENT = 1, 2
#: where that end is
OFFER_LEASE = 43
#: nanoseconds of the monotonic clock, milliseconds since 1970
LEASE_END = struct.Struct("<qq")
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


def asked(freed: list[int], done: int | None, taken: int | None) -> bytes:
    """
    Commands of the loop's question, each where there is something to say: what nobody looks at any more, with which batch it is
    done, and which it takes.
    """
    if done is None or taken is None:
        said = b"" if done is None else numbered(ACKNOWLEDGED, done)
        return freeing(freed) + said + (b"" if taken is None else numbered(TAKEN, taken))
    if len(freed) == 1:  # as mostly
        return FREED_AND_ASKED.pack(9, FREED, freed[0], 9, ACKNOWLEDGED, done, 9, TAKEN, taken)
    return freeing(freed) + ASKED.pack(9, ACKNOWLEDGED, done, 9, TAKEN, taken)


def freeing(numbers: list[int]) -> bytes:
    """A command about batches that nobody looks at any more; nothing where there are none."""
    return message(FREED, struct.pack(f"<{len(numbers)}q", *numbers)) if numbers else b""


IS_WAITING = message(WAITING)
