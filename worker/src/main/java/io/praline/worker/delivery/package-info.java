/**
 * Batches leaving a worker, each client at its own pace. Knows frames and channels, nothing of splits or graphs.
 *
 * <pre>
 *   graph's thread --put--> {@link io.praline.worker.delivery.Outbox}: a lane for each consumer --event loop--> socket
 * </pre>
 *
 * A lane holds a batch until the client has it. What is waiting and what is under way counts the same: an outbox with no
 * room makes {@code put} wait, which makes the graph wait.
 */
package io.praline.worker.delivery;
