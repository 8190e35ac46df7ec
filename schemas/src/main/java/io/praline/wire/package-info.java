/**
 * The batch channel's frames and codec, which worker and client share. Knows nothing of Kafka, graphs or splits.
 *
 * <p>A channel is one connection, TCP or Unix domain socket, between one attempt and one consumer. All numbers are
 * little-endian, as tensors are. A frame is its length and that many bytes, the payload; offsets below count from the
 * start of the payload, which a receiver puts at an address that is a multiple of 64.
 *
 * <pre>
 *   frame    int32 payload bytes | payload            text = uint16 bytes | UTF-8
 *
 *   client -&gt; worker, at most 2,048 payload bytes
 *
 *   HELLO    0 uint8 1     1 uint8 flags: 1 = names a segment       2 uint16 version, 3
 *            4 bytes "PRLN"                         8 int32 epoch           12 int32 attempt
 *           16 int32 consumer                      20 int32 batches held
 *           24 int64 received through: sequence of the last batch that came, -1 none
 *           32 int64 window bytes                  40 int64 bytes held, in batches that came and are not closed
 *           48 int32 generation of the consumer
 *           52 text job | text client incarnation | text worker incarnation, empty: any | text token, raw bytes
 *              with flag 1: | text segment
 *   CREDIT   0 uint8 3     1 uint8 flags: 1 = END came      2 uint16 0
 *            4 int32 batches closed                 8 int64 bytes of them   16 int64 received through
 *           24 int64 confirmed through: sequence of the last batch that is in the accounts, -1 none
 *           32 int64 offset in the segment of a batch that was closed, as often as bytes are left, at most 250 times
 *
 *   worker -&gt; client, at most 4,096 payload bytes, a BATCH at most 2^30
 *
 *   WELCOME  0 uint8 2     1 uint8 flags: 1 = shares the segment     2 uint16 version, 3      4 text worker incarnation
 *   BATCH    0 uint8 4     1 uint8 0                2 uint16 tensors
 *            4 int32 header bytes H, a multiple of 64                       8 int32 epoch
 *           12 int32 attempt                       16 int64 sequence
 *           24 int32 packed                        28 int32 bytes of ticket runs
 *           32 for each tensor: int32 TensorFlow's data type | int32 rank | int64 bytes | int64 dimension, rank times
 *              ticket runs ({@link io.praline.identity.TicketRuns}) | zeroes up to H
 *            H bytes of tensor 0 | zeroes up to a multiple of 64 | bytes of tensor 1 | ...   no zeroes behind the last
 *   END      0 uint8 5     1 uint8 what is over: 0 the attempt, 1 the job's stream, 2 the epoch   2 uint16 0   4 int32 0
 *            8 int64 sequence of the last batch, -1 none
 *   REFUSED  0 uint8 6     1 uint8 0                2 uint16 code            4 text reason, one line
 *   ALIVE    0 uint8 7     1 uint8 0                2 uint16 0
 *   SHARED   0 uint8 8     1 uint8 0                2 uint16 0               4 int32 bytes
 *            8 int64 offset in the segment, a multiple of 64: there lies the payload of a BATCH
 *
 *   strings  int64 offset, n + 1 times: string i lies in offset i .. offset i+1 of what follows, the first is 0 | bytes
 * </pre>
 *
 * <p>The client sends HELLO once, then CREDIT when batches came or were closed, and at least every 2 s as a sign of
 * life. The worker answers WELCOME or REFUSED, then sends BATCH in the order of sequences, and END behind the last;
 * ALIVE when nothing else was sent for a second. After END the client sends CREDIT with flag 1 and closes. REFUSED ends
 * the channel at any time.
 *
 * <p><b>Credit.</b> A batch weighs its payload bytes. <i>Out</i> is what the client holds as of HELLO, plus what was sent
 * since, less what CREDIT gave back. The worker may send a batch when it fits ({@code out + batch <= window}) or when
 * fewer than two batches are out: a window is never less than two batches, so no batch is too large to be sent and one
 * is always under way while another is worked on. The client refuses anything beyond; its memory is at most the window or
 * two batches, whichever is more.
 *
 * <p><b>Sharing.</b> A client of the worker's host may name a segment in HELLO: memory that both map
 * ({@link io.praline.wire.memory.SharedSegment}). A worker that can open it says so in WELCOME, and may then put a batch there
 * and send SHARED in place of BATCH; in all else the two are the same, in weight and order too. What lies at that offset is the
 * client's until a CREDIT names the offset. A batch for which the segment has no room comes as BATCH. The segment is the
 * connection's: after a new HELLO there is another.
 *
 * <p><b>Keeping.</b> The worker keeps a batch until {@code received through} covers it, and after a new HELLO sends again
 * all beyond it. Which elements it sent it remembers until {@code confirmed through} covers them.
 *
 * <p><b>Generations.</b> A consumer's place is held by one process after another, each of a higher generation; sequences count
 * from 0 in each. A HELLO of a higher generation than the worker knows ends the channel of the lower one; one of a lower
 * generation, or of one that the worker was told to be over, is refused as STALE, as is a channel that is open when it is told.
 *
 * <p><b>Receiving.</b> Type and length are read first; then one buffer of the exact size is taken and the socket's bytes
 * land in it ({@link io.praline.wire.memory.FrameReceiver}), so every tensor starts at a multiple of 64 with no copy in Java.
 */
package io.praline.wire;
