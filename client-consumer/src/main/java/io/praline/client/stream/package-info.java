/**
 * What a stream of batches is made of: what came and is not yet handed out, what was handed out, and the memory for it.
 * Owned by the stream's lock. Knows tensors and reports, nothing of sockets, Kafka, threads or clocks.
 */
package io.praline.client.stream;
