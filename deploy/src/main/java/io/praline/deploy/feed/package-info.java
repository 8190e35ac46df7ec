/**
 * The Java side of the Python package: one process for all feeds of a Python process, in which each feed is a stream of the
 * Java client. It knows the client, Python's pipes and memory; how a cluster is found is told from outside ({@link
 * io.praline.deploy.feed.Connections}).
 *
 * <p><b>Descriptors.</b> Python makes for each feed two pipes and one piece of memory without a name ({@code memfd_create},
 * sealed against another size), and names them in a line on this process's standard input. This process opens them as
 * {@code /proc/PID/fd/N}, and answers each line with one on standard output; then Python closes its ends of what is not
 * its own. So the end of a pipe is the end of who held it.
 *
 * <pre>
 *   in   {"pid": P, "commands": FD, "events": FD, "memory": FD, "bytes": N}
 *   out  {}                        or {"error": LINE}
 * </pre>
 *
 * The script of a checkout, which may have to build before it becomes this process, says so in front of the first answer:
 * {@code {"preparing": true}}, and {@code false} when it is done. Python waits for that without a bound, for the answer a minute.
 *
 * The end of standard input is the end of Python: all feeds are closed and the process ends.
 *
 * <p><b>Messages</b> go over the two pipes of a feed. All numbers are little-endian.
 *
 * <pre>
 *   int32 bytes of what follows | uint8 type | body
 *
 *   commands, Python to Java
 *    1 OPEN          int32 bytes | JSON of that many bytes ({@link io.praline.deploy.feed.FeedSpec}) | a GraphDef, or nothing
 *    2 WAITING       -                the loop waits for the next batch from now on
 *    3 TAKEN         int64 number     the loop has the batch, or waits for it and has it once it is offered; may be said again
 *    4 ACKNOWLEDGED  int64 number     the loop is done with the batch and all before it
 *    5 FREED         int64 numbers    nobody looks at these batches' memory any more
 *    6 STATUS        -                answered by a STATUS
 *    7 RESULT        -                answered by a RESULT, or an ERROR where the job failed
 *    8 CANCEL        -                the job shall be cancelled
 *    9 CLOSE         -                the loop wants nothing more; the pipe's end says the same
 *   10 EXPLAIN       -                answered by an EXPLAINED
 *   11 RENEW         -                what is offered is not taken, since the lease told last is over: answered by a LEASE, or an ERROR,
 *                                     once that is known; may be said again
 *
 *   events, Java to Python
 *    1 OPENED        JSON {"job", "page", "own"}; page is null where no page is known that shows the job; own tells whether the
 *                    cluster is of this process's own, so that the job goes with it
 *    2 COMPONENTS    JSON {"names"}, before the first batch and where they change
 *    3 OFFERED       int64 number | int32 epoch | int64 elements | uint8 place | uint16 components | int64 offset | int64 bytes
 *                    | int32 tickets | int64 monotonic | int64 wall
 *                    | components times (uint8 dtype | uint8 rank | int64 offset | int64 bytes | int64 dimension, rank times)
 *                    | with place 1: as many bytes as said; with place 2: int64 id of a segment | int64 ticket, tickets times
 *    4 END           -                nothing follows
 *    5 STATUS        JSON, or nothing where nothing was heard of the job yet
 *    6 RESULT        JSON
 *    7 ERROR         JSON {"kind", "line", "next"}; behind one that answers no RESULT nothing is offered
 *    8 CLOSED        -                nothing follows on this pipe
 *    9 EXPLAINED     JSON {"decisions": [{"lines", "facts"}], "foretold": [lines]}, or {"error": {"kind", "line", "next"}}
 *   10 SEGMENT       int64 id | int64 bytes | path to open, text of what is left; before the first batch that lies in it. With 0
 *                    bytes: nothing more comes to lie in it
 *   11 WAITS         text             what is waited for, before OPENED, where that takes some seconds; empty: Java looks whether
 *                    Python is there
 *   12 LEASE         int64 monotonic | int64 wall, or nothing: then what is offered is not to be taken, and END is all that follows
 * </pre>
 *
 * <p>A batch lies at {@code offset} of the memory (place 0), or behind its message where the memory has no room (place 1):
 * first its tickets, an int64 each, then its components, each at its own offset from the batch's beginning, a multiple of 64.
 * {@code dtype} is TensorFlow's number; strings lie as {@link io.praline.wire.StringTensor} draws them.
 *
 * <p><b>The lease.</b> What is offered may be taken until the lease told last is over, which is when either clock comes to its end,
 * also where the message lay unread meanwhile: {@code monotonic} is in nanoseconds of Linux's {@code CLOCK_MONOTONIC}, which is
 * {@link System#nanoTime} there and one for all processes of a host, but stands still while that sleeps; {@code wall} in milliseconds
 * since 1970. The largest number is an end that never comes. A newer lease is for all that is offered: a batch that lies there may
 * be taken once it is heard that this is still the process in its place.
 *
 * <p><b>At most one batch is offered ahead</b>: the next one goes out when the one before is offered and TAKEN. A batch is claimed
 * when it is offered, so that a fence finds it claimed; it is acknowledged only by the loop. What was offered and never taken
 * is given again when the feed is closed in order, as what the loop took and did not ask past.
 */
package io.praline.deploy.feed;
