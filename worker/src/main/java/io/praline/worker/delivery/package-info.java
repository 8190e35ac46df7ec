/**
 * Batches leaving a worker, each client at its own pace. Knows frames and channels, nothing of splits or graphs.
 *
 * <pre>
 *   graph's thread --put--> {@link io.praline.worker.delivery.Outbox}: a lane for each consumer --event loop--> socket
 *                                     ^
 *   commands, and HELLOs --{@link io.praline.worker.delivery.Membership}
 * </pre>
 *
 * A lane holds a batch until the client has it. What is waiting and what is under way counts the same: an outbox with no
 * room makes {@code put} wait, which makes the graph wait.
 *
 * <p>For a client of the worker's host a batch may be made where the client sees it ({@link
 * io.praline.worker.delivery.BatchRoom}); any other is copied there, or goes through the socket.
 *
 * <p>A lane is one generation of a consumer's: where another process takes the place, or nobody is there any more, it closes.
 * What was not sent on it goes to the others; what was is told, element by element, as is what nobody can take any more
 * ({@link io.praline.worker.delivery.LaneClosed}).
 */
package io.praline.worker.delivery;
